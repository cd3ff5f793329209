//! Profile of a run by call path and location: the document `ats-profile/1`.

mod causes;
mod counters;
mod outside;
mod parts;
mod report;
mod samples;
mod stops;
pub(crate) mod values;

use std::collections::BTreeMap;
use std::hash::Hash;

use serde::{Deserialize, Serialize};

pub use counters::Counters;
pub use outside::Outside;
pub use samples::{FunctionShare, Sampled};
pub use values::{Reader, Stored, Value, Values};

use ats_model::call_path::{CallPathId, CallTree};
use ats_model::call_site::CallSite;
use ats_model::definitions::{Paradigm, RegionRole, SystemNode};
use ats_model::named;
use ats_model::openmp::Construct;
use ats_model::quantity::View;
use ats_model::wait_state::WaitState;

use crate::machine::Machine;
pub use crate::unit::ProcessingUnit;

/// `ats-profile/1`.
///
/// ```
/// use ats_documents::profile::{CallNode, ProcessingUnit, Profile, ProfiledRegion};
/// let region = |id, name: &str| ProfiledRegion { id, name: name.to_owned(), ..ProfiledRegion::default() };
/// let mut profile = Profile::new("traces.otf2");
/// profile.units = vec![ProcessingUnit { rank: 0, thread: 0, node: None }];
/// profile.regions = vec![region(0, "main"), region(1, "MPI_Recv")];
/// profile.call_tree =
///     vec![CallNode { id: 0, parent: None, region: 0 }, CallNode { id: 1, parent: Some(0), region: 1 }];
/// profile.values.insert("time".to_owned(), vec![(0, 0, 2.0), (1, 0, 0.5)].into());
/// assert_eq!(profile.path(1), ["main", "MPI_Recv"]);
/// assert_eq!(profile.inclusive("time", |_| true), [2.5, 0.5]);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Profile {
    /// The schema's name, `ats-profile/1`.
    pub schema: String,
    /// The trace or report, as it was named.
    pub source: String,
    /// The locations, in the order of the trace.
    pub units: Vec<ProcessingUnit>,
    /// The parts of the machine; a parent comes before its children.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nodes: Vec<SystemNode>,
    /// The regions that any location was in; regions of one name are one, except calls from different places.
    pub regions: Vec<ProfiledRegion>,
    /// The metrics that are measured; only these have values.
    pub metrics: Vec<Metric>,
    /// The call paths; a parent comes before its children.
    pub call_tree: Vec<CallNode>,
    /// By metric: call path, unit (an index into `units`), and value. Values are of the call path alone, without those
    /// inside it, except `min_time` and `max_time`, which are of whole visits. A missing value is 0 in a sum, and else
    /// undefined.
    #[cfg_attr(feature = "schema", schemars(with = "BTreeMap<String, Vec<Value>>"))]
    pub values: BTreeMap<String, Values>,
    /// Work of the machine for the locations, where the trace has something of it.
    #[serde(default, skip_serializing_if = "Machine::is_empty")]
    pub machine: Machine,
    /// The samples of the recorder, by call path, unit and line of the program; none if it took none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub samples: Vec<Sampled>,
    /// Parts that could not be analyzed, with the reasons, in words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// A function or construct.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ProfiledRegion {
    /// Its index in `regions`.
    pub id: u32,
    /// Its name.
    pub name: String,
    /// The kind of work that it does, by OTF2's region roles.
    #[serde(rename = "type")]
    pub role: RegionRole,
    /// The paradigm that it belongs to.
    pub paradigm: Paradigm,
    /// Its source file, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Its first and its last line there, where they are known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lines: Option<[u32; 2]>,
    /// The place in the source of the call of a library, if the trace has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call_site: Option<CallSite>,
}

impl ProfiledRegion {
    /// Its name in a table, and where the call stands: `MPI_Recv in halo (heat.c:12)`.
    pub fn label(&self) -> String {
        CallSite::label(&self.name, self.call_site.as_ref())
    }

    /// Its role; that of a construct of OpenMP by its name, since not every recorder tells it.
    pub fn role_by_name(&self) -> RegionRole {
        Construct::of_region(&self.name).map_or(self.role, Construct::role)
    }

    /// Whether it is code between two calls that the trace has no region for: the analysis names it by their places.
    pub fn is_segment(&self) -> bool {
        (self.role, self.paradigm) == (RegionRole::Code, Paradigm::Other)
    }

    /// Its place in the source, if it is known: the file with the first and the last line, of a call those of its call site.
    pub fn source(&self) -> Option<(&str, [u32; 2])> {
        let (file, lines) = match &self.call_site {
            Some(site) => (site.file.as_str(), [site.line; 2]),
            None => (self.file.as_deref()?, self.lines?),
        };
        (lines[0] > 0).then_some((file, lines))
    }
}

/// A metric that is measured.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Metric {
    /// Its name: Score-P's, where it has one; that of a wait state.
    pub name: String,
    /// Its unit: `s`, `occ`, `bytes`, or the recorder's own.
    pub unit: String,
    /// The origin of its values.
    pub origin: Origin,
    /// The rule that derives them from others, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// The way in which several values become one.
    #[serde(default, skip_serializing_if = "Combine::is_sum")]
    pub combine: Combine,
}

impl Metric {
    /// A metric.
    pub fn new(name: &str, unit: &str, origin: Origin, combine: Combine) -> Self {
        Metric { name: name.to_owned(), unit: unit.to_owned(), origin, rule: None, combine }
    }
}

/// The way in which the values of several units or call paths become one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Combine {
    /// Their sum.
    #[default]
    Sum,
    /// The least of them.
    Minimum,
    /// The greatest of them.
    Maximum,
}

impl Combine {
    fn is_sum(&self) -> bool {
        *self == Combine::Sum
    }
}

named! {
    /// The origin of values.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
    pub enum Origin {
        /// The recorder has measured or counted it.
        Measured = "measured",
        /// It follows from what was measured, by a rule.
        Derived = "derived",
        /// The report of another tool says so.
        Imported = "imported",
        /// It was computed, on an ideal machine.
        Simulated = "simulated",
        /// It was predicted.
        Predicted = "predicted",
    }
}

/// A call path: a region below another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CallNode {
    /// Its index in `call_tree`.
    pub id: u32,
    /// The path one level up; none of an outermost one.
    pub parent: Option<u32>,
    /// Its last region: an index into `regions`.
    pub region: u32,
}

impl Profile {
    /// The value of [`Profile::schema`].
    pub const SCHEMA: &str = "ats-profile/1";

    /// Time in a call path, in seconds.
    pub const TIME: &str = "time";

    /// The metric of visits: entries into a call path.
    pub const VISITS: &str = ats_model::quantity::VISITS;

    /// The shortest visit, with all that is inside it, in seconds.
    pub const MIN_TIME: &str = "min_time";

    /// The longest visit, with all that is inside it, in seconds.
    pub const MAX_TIME: &str = "max_time";

    /// A profile of nothing.
    pub fn new(source: &str) -> Self {
        Profile { schema: Profile::SCHEMA.to_owned(), source: source.to_owned(), ..Profile::default() }
    }

    /// Takes the call paths of a tree, in the order of their creation; `region` makes a region of a key, except for
    /// its number. Path n + 1 of the tree is path n here, because the tree's root is omitted.
    pub fn take_paths<K: Copy + Hash + Ord>(
        &mut self,
        tree: &CallTree<K>,
        region: impl Fn(K) -> ProfiledRegion,
    ) {
        let mut numbers: BTreeMap<K, u32> = BTreeMap::new();
        for path in (1..tree.len() as u32).map(CallPathId) {
            let Some(key) = tree.key(path) else { continue };
            let id = *numbers.entry(key).or_insert_with(|| {
                let id = self.regions.len() as u32;
                self.regions.push(ProfiledRegion { id, ..region(key) });
                id
            });
            let parent = Some(tree.parent(path)).filter(|&parent| parent != CallPathId::ROOT);
            let parent = parent.map(|parent| parent.0 - 1);
            self.call_tree.push(CallNode { id: path.0 - 1, parent, region: id });
        }
    }

    /// The names on a call path, the outermost first.
    pub fn path(&self, path: u32) -> Vec<&str> {
        let mut names: Vec<&str> =
            self.ancestors(path).map(|node| self.regions[node.region as usize].name.as_str()).collect();
        names.reverse();
        names
    }

    /// The [labels](ProfiledRegion::label) of the regions on a call path, the outermost first.
    pub fn labels(&self, path: u32) -> Vec<String> {
        let mut labels: Vec<String> =
            self.ancestors(path).map(|node| self.regions[node.region as usize].label()).collect();
        labels.reverse();
        labels
    }

    /// A name for each region, by which runs are compared: its [label](ProfiledRegion::label), and where several have one
    /// label, the file and line with it. Regions that differ in none of these have one name.
    pub fn region_names(&self) -> Vec<String> {
        let mut names: Vec<String> = self.regions.iter().map(ProfiledRegion::label).collect();
        let mut times: BTreeMap<&str, u32> = BTreeMap::new();
        names.iter().for_each(|name| *times.entry(name).or_default() += 1);
        let is_shared: Vec<bool> = names.iter().map(|name| times[name.as_str()] > 1).collect();
        for (at, region) in self.regions.iter().enumerate().filter(|(at, _)| is_shared[*at]) {
            if let Some((file, [line, _])) = region.source() {
                names[at] = format!("{} at {file}:{line}", names[at]);
            }
        }
        names
    }

    /// The call site of a call path: that of the innermost call that has one.
    pub fn call_site(&self, path: u32) -> Option<&CallSite> {
        self.ancestors(path).find_map(|node| self.regions[node.region as usize].call_site.as_ref())
    }

    /// A call path and those that it lies in, the innermost first.
    pub fn ancestors(&self, path: u32) -> impl Iterator<Item = &CallNode> {
        let node = |path: u32| &self.call_tree[path as usize];
        std::iter::successors(Some(node(path)), move |inner| inner.parent.map(node))
    }

    /// Whether a call path is in no other of its region.
    fn is_outermost(&self, node: &CallNode) -> bool {
        self.ancestors(node.id).skip(1).all(|outer| outer.region != node.region)
    }

    /// The values of a metric; none if it has none.
    pub fn values_of(&self, metric: &str) -> impl Iterator<Item = Value> + use<'_> {
        self.values.get(metric).into_iter().flat_map(Values::iter)
    }

    /// The reason why values of a metric could not be read, if that has happened.
    pub fn failure(&self) -> Option<&str> {
        self.values.values().find_map(Values::failure)
    }

    /// By call path, the sum of a metric over the units that are meant, of the path alone.
    pub fn exclusive(&self, metric: &str, is_meant: impl Fn(ProcessingUnit) -> bool) -> Vec<f64> {
        let mut sums = vec![0.0; self.call_tree.len()];
        for (path, unit, value) in self.values_of(metric) {
            if is_meant(self.units[unit as usize]) {
                sums[path as usize] += value;
            }
        }
        sums
    }

    /// The same with all that is inside it.
    pub fn inclusive(&self, metric: &str, is_meant: impl Fn(ProcessingUnit) -> bool) -> Vec<f64> {
        let mut sums = self.exclusive(metric, is_meant);
        for node in self.call_tree.iter().rev() {
            if let Some(parent) = node.parent {
                sums[parent as usize] += sums[node.id as usize];
            }
        }
        sums
    }

    /// The time that threads spent outside all regions, by wait state, over the selected units: they had nothing to
    /// do. Zero amounts are omitted.
    pub fn idle(&self, is_meant: impl Fn(ProcessingUnit) -> bool) -> Vec<(WaitState, Spent)> {
        let states = WaitState::ALL.into_iter().filter(|state| state.view() == View::Idle);
        let spent = states.filter_map(|state| {
            let mut of_units = vec![0.0; self.units.len()];
            for (_, unit, seconds) in self.values.get(state.name())?.iter() {
                of_units[unit as usize] += seconds;
            }
            let mut spent = Spent::default();
            spent.spread(&of_units, &self.units, &is_meant);
            let meant = of_units.iter().zip(&self.units).filter(|&(_, &unit)| is_meant(unit));
            spent.exclusive = meant.map(|(seconds, _)| seconds).fold(0.0, |sum, seconds| sum + seconds);
            spent.inclusive = spent.exclusive;
            (spent.exclusive > 0.0).then_some((state, spent))
        });
        spent.collect()
    }

    /// All seconds of the units that are meant: those in regions, and those of threads that had nothing to do.
    pub fn total(&self, is_meant: impl Fn(ProcessingUnit) -> bool) -> f64 {
        let in_regions = self.exclusive(Profile::TIME, &is_meant);
        let idle = self.idle(&is_meant).into_iter().map(|(_, spent)| spent.exclusive);
        // The sum of nothing is -0.
        in_regions.into_iter().chain(idle).fold(0.0, |sum, seconds| sum + seconds)
    }

    /// The amounts spent in each call path, over the selected units; in the order of `call_tree`.
    pub fn by_path(&self, is_meant: impl Fn(ProcessingUnit) -> bool) -> Vec<Spent> {
        let (time, visits) =
            (self.exclusive(Profile::TIME, &is_meant), self.exclusive(Profile::VISITS, &is_meant));
        let whole = self.inclusive(Profile::TIME, &is_meant);
        let mut spent = vec![Spent::default(); self.call_tree.len()];
        for node in &self.call_tree {
            let path = node.id as usize;
            let of_path = &mut spent[path];
            (of_path.exclusive, of_path.inclusive) = (time[path], whole[path]);
            of_path.visits = visits[path] as u64;
            if let Some(parent) = node.parent {
                spent[parent as usize].visits_inside += visits[path] as u64;
            }
        }
        self.spread(&mut spent, |node| node.id, is_meant);
        spent
    }

    /// The amounts spent in each region, over the selected units and all its visits; in the order of `regions`.
    pub fn by_region(&self, is_meant: impl Fn(ProcessingUnit) -> bool) -> Vec<Spent> {
        let mut spent = vec![Spent::default(); self.regions.len()];
        for (node, of_path) in self.call_tree.iter().zip(self.by_path(&is_meant)) {
            let of_region = &mut spent[node.region as usize];
            of_region.visits += of_path.visits;
            of_region.visits_inside += of_path.visits_inside;
            of_region.exclusive += of_path.exclusive;
            // Of a region inside itself, the outer visits have all of its time.
            if self.is_outermost(node) {
                of_region.inclusive += of_path.inclusive;
            }
        }
        self.spread(&mut spent, |node| node.region, is_meant);
        spent
    }

    /// Notes the least and the most that a unit has of each of these.
    fn spread(
        &self,
        spent: &mut [Spent],
        number: impl Fn(&CallNode) -> u32,
        is_meant: impl Fn(ProcessingUnit) -> bool,
    ) {
        let mut of_units = vec![0.0; spent.len() * self.units.len()];
        for (path, unit, seconds) in self.values_of(Profile::TIME) {
            let row = number(&self.call_tree[path as usize]) as usize;
            of_units[row * self.units.len() + unit as usize] += seconds;
        }
        for (of_one, of_units) in spent.iter_mut().zip(of_units.chunks(self.units.len().max(1))) {
            of_one.spread(of_units, &self.units, &is_meant);
        }
    }
}

/// The amounts that several units spent in a region or call path.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Spent {
    /// The number of entries into it.
    pub visits: u64,
    /// The number of entries into regions directly from it.
    pub visits_inside: u64,
    /// Seconds in it alone.
    pub exclusive: f64,
    /// Seconds in it and all that is inside it.
    pub inclusive: f64,
    /// Seconds in it alone, of the unit that has the fewest.
    pub least: f64,
    /// Seconds in it alone, of the unit that has the most.
    pub most: f64,
}

impl Spent {
    /// Notes the least and the most that any of the units has that are meant.
    fn spread(
        &mut self,
        of_units: &[f64],
        units: &[ProcessingUnit],
        is_meant: &impl Fn(ProcessingUnit) -> bool,
    ) {
        let meant = of_units.iter().zip(units).filter(|&(_, &unit)| is_meant(unit));
        let (least, most) = meant.fold((f64::INFINITY, 0.0_f64), |(least, most), (&seconds, _)| {
            (least.min(seconds), most.max(seconds))
        });
        (self.least, self.most) = (least.min(most), most);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two units: `main` (1 s, 2 s) calls `f` (2 s on the first alone), which calls itself (4 s), and `g` (0.5 s each).
    fn profile() -> Profile {
        let mut profile = Profile::new("test");
        profile.units = [0, 1].map(|rank| ProcessingUnit { rank, thread: 0, node: None }).to_vec();
        let region = |(id, name): (u32, &str)| ProfiledRegion {
            id,
            name: name.to_owned(),
            ..ProfiledRegion::default()
        };
        profile.regions = (0..).zip(["main", "f", "g"]).map(region).collect();
        let node = |(id, (parent, region))| CallNode { id, parent, region };
        profile.call_tree =
            (0..).zip([(None, 0), (Some(0), 1), (Some(1), 1), (Some(0), 2)]).map(node).collect();
        let time = vec![(0, 0, 1.0), (0, 1, 2.0), (1, 0, 2.0), (2, 0, 4.0), (3, 0, 0.5), (3, 1, 0.5)];
        let visits = vec![(0, 0, 1.0), (0, 1, 1.0), (1, 0, 3.0), (2, 0, 5.0), (3, 0, 1.0), (3, 1, 1.0)];
        profile.values =
            [(Profile::TIME.to_owned(), time.into()), (Profile::VISITS.to_owned(), visits.into())].into();
        profile
    }

    #[test]
    fn a_region_is_summed_wherever_it_is_and_recursion_counts_once() {
        let all = profile().by_region(|_| true);
        let main =
            Spent { visits: 2, visits_inside: 5, exclusive: 3.0, inclusive: 10.0, least: 1.0, most: 2.0 };
        let f = Spent { visits: 8, visits_inside: 5, exclusive: 6.0, inclusive: 6.0, least: 0.0, most: 6.0 };
        let g = Spent { visits: 2, visits_inside: 0, exclusive: 1.0, inclusive: 1.0, least: 0.5, most: 0.5 };
        assert_eq!(all, [main, f, g]);
    }

    #[test]
    fn threads_that_have_nothing_to_do_are_in_the_total_and_in_no_region() {
        let mut profile = profile();
        profile.values.insert("idle_threads".to_owned(), vec![(0, 1, 1.5), (3, 1, 0.5)].into());
        profile.values.insert("late_sender".to_owned(), vec![(3, 1, 0.5)].into());
        let spent = Spent { exclusive: 2.0, inclusive: 2.0, most: 2.0, ..Spent::default() };
        assert_eq!(profile.idle(|_| true), [(WaitState::IdleThreads, spent)]);
        assert_eq!(profile.idle(|unit| unit.rank == 0), []);
        assert_eq!((profile.total(|_| true), profile.total(|unit| unit.rank == 1)), (12.0, 4.5));
        assert!(Profile::new("nothing").total(|_| true).is_sign_positive());
    }

    #[test]
    fn units_may_be_left_out() {
        let second = profile().by_region(|unit| unit.rank == 1);
        assert_eq!((second[0].exclusive, second[0].inclusive, second[0].most), (2.0, 2.5, 2.0));
        assert_eq!(second[1], Spent::default());
        assert_eq!(profile().by_region(|_| false), [Spent::default(); 3]);
        assert_eq!(profile().inclusive(Profile::TIME, |unit| unit.rank == 1), [2.5, 0.0, 0.0, 0.5]);
    }
}
