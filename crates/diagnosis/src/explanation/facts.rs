//! Facts of a run, as rules ask for them.

use std::cell::OnceCell;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::AddAssign;

use ats_documents::causes::Causes;
use ats_documents::explanation::SourceLine;
use ats_documents::machine::Counted;
use ats_documents::profile::{FunctionShare, ProfiledRegion};
use ats_documents::{Analysis, Finding, Profile};
use ats_model::CallSite;
use ats_model::definitions::{Clock, Paradigm, RegionRole};
use ats_model::locations::Location;
use ats_model::quantity::View;

use super::processors::Processors;
use super::{Recorded, SingleWaits};

/// A value of each unit that has one, of a call path.
type ByUnit = Vec<(u32, f64)>;

/// The facts of a run.
#[derive(Debug)]
pub(crate) struct Facts<'a> {
    pub(super) analysis: &'a Analysis,
    pub(super) profile: &'a Profile,
    pub(super) waits: &'a SingleWaits,
    pub(super) clock: Clock,
    /// The begin and the end of the basis, in ticks.
    pub(super) span: (u64, u64),
    /// The processors, if ranks share some.
    pub(super) processors: Option<Processors>,
    /// Whether locations did not run when they could, or may not have.
    pub(super) lacks_processors: bool,
    units: HashMap<Location, u32>,
    /// The call paths of the profile by their names, without the program, and their call sites.
    paths: BTreeMap<Vec<String>, BTreeMap<Option<&'a CallSite>, Vec<u32>>>,
    time: Vec<ByUnit>,
    /// Seconds of waits by the call that waits.
    waited: HashMap<Place<'a>, ByUnit>,
    visits: Vec<ByUnit>,
    moved: Vec<Moved>,
    /// Locations that wait for a location in a finding, with their ticks.
    pairs: OnceCell<HashMap<(usize, u32), BTreeMap<u32, u64>>>,
}

/// A call path: the names of its regions, and where its innermost call stands, if the trace has that.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Place<'a> {
    pub(crate) names: &'a [String],
    pub(crate) site: Option<&'a CallSite>,
}

impl<'a> Place<'a> {
    /// The call path of a finding.
    pub(crate) fn of_finding(finding: &'a Finding) -> Self {
        Place { names: &finding.call_path, site: finding.call_site.as_ref() }
    }

    /// The call path of a cause.
    pub(crate) fn of_cause(causes: &'a Causes, number: u32) -> Option<Self> {
        causes.place(number).map(|(names, site)| Place { names, site })
    }
}

/// Whether the call paths of a profile begin with the program, which those of the analysis leave out.
fn are_in_a_program(analysis: &Analysis, paths: &[Vec<&str>]) -> bool {
    let known = |from: usize| -> usize {
        let known: HashSet<&[&str]> = paths.iter().filter_map(|path| path.get(from..)).collect();
        let is_known = |finding: &&Finding| {
            let names: Vec<&str> = finding.call_path.iter().map(String::as_str).collect();
            known.contains(names.as_slice())
        };
        analysis.findings.iter().filter(is_known).count()
    };
    known(1) > known(0)
}

/// The findings whose seconds are lost, with their indices.
pub(super) fn lost(analysis: &Analysis) -> impl Iterator<Item = (usize, &Finding)> {
    let is_lost = |finding: &Finding| {
        matches!(finding.view, View::Wait | View::Idle) && finding.property.is_some() && finding.is_measured()
    };
    analysis.findings.iter().enumerate().filter(move |(_, finding)| is_lost(finding))
}

/// Seconds of the lost waits by the call that waits.
fn waited<'a>(analysis: &'a Analysis, units: &HashMap<Location, u32>) -> HashMap<Place<'a>, ByUnit> {
    let mut waited: HashMap<Place<'a>, ByUnit> = HashMap::new();
    for (_, finding) in lost(analysis) {
        let shares = finding.locations.iter();
        let shares = shares.filter_map(|of| Some((*units.get(&of.place())?, of.waiting_time)));
        waited.entry(Place::of_finding(finding)).or_default().extend(shares);
    }
    waited
}

/// The part of a call's time that is due to rounding.
const ROUNDING: f64 = 1e-6;

/// Messages that a unit sends and receives.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Messages {
    pub(super) sent: f64,
    pub(super) received: f64,
}

/// Messages that are sent or received, and parts in collective operations.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Moved {
    pub(super) number: f64,
    pub(crate) bytes: f64,
}

impl AddAssign for Moved {
    fn add_assign(&mut self, more: Self) {
        self.number += more.number;
        self.bytes += more.bytes;
    }
}

/// Metrics of a profile that count messages, and parts in collective operations.
const NUMBERS: [&str; 8] = [
    "comms_send",
    "comms_recv",
    "syncs_send",
    "syncs_recv",
    "comms_cxch",
    "comms_csrc",
    "comms_cdst",
    "syncs_coll",
];

/// Metrics of a profile that count their bytes.
const BYTES: [&str; 4] = ["bytes_sent", "bytes_rcvd", "bytes_cout", "bytes_cin"];

impl<'a> Facts<'a> {
    /// The facts of a run whose basis begins and ends at the ticks of `span`.
    pub(crate) fn new(recorded: Recorded<'a>, span: (u64, u64)) -> Self {
        let Recorded { analysis, profile, waits, definitions } = recorded;
        let mut paths: BTreeMap<Vec<String>, BTreeMap<_, Vec<u32>>> = BTreeMap::new();
        let names: Vec<Vec<&str>> = profile.call_tree.iter().map(|node| profile.path(node.id)).collect();
        let programs = usize::from(are_in_a_program(analysis, &names));
        for (node, names) in profile.call_tree.iter().zip(&names) {
            let names = names[programs..].iter().copied().map(str::to_owned).collect();
            let of_names = paths.entry(names).or_default();
            of_names.entry(profile.call_site(node.id)).or_default().push(node.id);
        }
        let by_path = |metric| {
            let mut values = vec![Vec::new(); profile.call_tree.len()];
            for (path, unit, value) in profile.values_of(metric) {
                values[path as usize].push((unit, value));
            }
            values
        };
        let (time, visits) = (by_path(Profile::TIME), by_path(Profile::VISITS));
        let mut moved = vec![Moved::default(); profile.call_tree.len()];
        for (path, _, number) in NUMBERS.iter().flat_map(|metric| profile.values_of(metric)) {
            moved[path as usize].number += number;
        }
        for (path, _, bytes) in BYTES.iter().flat_map(|metric| profile.values_of(metric)) {
            moved[path as usize].bytes += bytes;
        }
        let units = (0..).zip(&profile.units);
        let units =
            units.map(|(index, unit)| (Location { rank: unit.rank, thread: unit.thread }, index)).collect();
        let processors = Processors::new(definitions, &units, waits);
        let clock = definitions.clock;
        let lacks_processors = analysis.machine.lacks_processors();
        Facts {
            analysis,
            profile,
            waits,
            clock,
            span,
            processors,
            lacks_processors,
            paths,
            time,
            waited: waited(analysis, &units),
            visits,
            moved,
            units,
            pairs: OnceCell::new(),
        }
    }

    /// Whether regions of the program are recorded, and not just calls of MPI.
    pub(super) fn has_regions(profile: &Profile) -> bool {
        let is_of_program = |region: &ProfiledRegion| {
            region.role != RegionRole::Artificial && region.paradigm != Paradigm::Mpi && !region.is_segment()
        };
        profile.regions.iter().any(is_of_program)
    }

    /// The root causes.
    pub(super) fn causes(&self) -> Option<&'a Causes> {
        self.analysis.causes.as_ref()
    }

    /// The locations that wait for one in a finding, with their ticks.
    pub(super) fn waiting(&self, finding: usize, awaited: u32) -> Option<&BTreeMap<u32, u64>> {
        let pairs = self.pairs.get_or_init(|| {
            let mut pairs: HashMap<_, BTreeMap<u32, u64>> = HashMap::new();
            for (finding, wait) in self.waits.by_finding() {
                let Some(awaited) = wait.awaited() else { continue };
                *pairs.entry((finding, awaited)).or_default().entry(wait.location).or_default() +=
                    wait.ticks();
            }
            pairs
        });
        pairs.get(&(finding, awaited))
    }

    /// The location of a unit.
    pub(super) fn location(&self, unit: u32) -> Location {
        let unit = self.profile.units[unit as usize];
        Location { rank: unit.rank, thread: unit.thread }
    }

    /// The number of processes.
    pub(crate) fn processes(&self) -> u32 {
        self.profile.units.iter().map(|unit| unit.rank + 1).max().unwrap_or(0)
    }

    /// The counters of a unit, if they were sampled.
    pub(super) fn counted(&self, unit: u32) -> Option<&'a Counted> {
        self.analysis.machine.counted(self.location(unit))
    }

    /// Whether there are fewer processors than locations.
    pub(super) fn share_processors(&self) -> bool {
        !self.analysis.machine.shared.is_empty()
    }

    /// The unit at a location.
    pub(super) fn unit(&self, location: Location) -> Option<u32> {
        self.units.get(&location).copied()
    }

    /// Seconds of each unit in a call path alone.
    pub(super) fn time(&self, path: Place<'_>) -> Vec<f64> {
        self.sum(path, &self.time)
    }

    /// Seconds of each unit in a call path alone, besides its waits there.
    pub(super) fn besides_waits(&self, path: Place<'_>) -> Vec<f64> {
        let time = self.time(path);
        let mut besides = time.clone();
        let waited = self.waited.get(&path).into_iter().flatten();
        waited.for_each(|&(unit, seconds)| besides[unit as usize] -= seconds);
        let is_rounding = |(besides, time): (f64, f64)| besides.abs() <= time * ROUNDING;
        besides.into_iter().zip(time).map(|of| if is_rounding(of) { 0.0 } else { of.0 }).collect()
    }

    /// Visits of each unit.
    pub(crate) fn visits(&self, path: Place<'_>) -> Vec<f64> {
        self.sum(path, &self.visits)
    }

    fn sum(&self, path: Place<'_>, values: &[ByUnit]) -> Vec<f64> {
        let mut sums = vec![0.0; self.profile.units.len()];
        for &path in self.numbers(path) {
            values[path as usize].iter().for_each(|&(unit, value)| sums[unit as usize] += value);
        }
        sums
    }

    /// The longest visit to regions of this name, on any call path and unit; none if it took no time.
    pub(super) fn longest(&self, region: &str) -> Option<f64> {
        let of = |path: u32| self.profile.call_tree[path as usize].region;
        let name = |path: u32| &self.profile.regions[of(path) as usize].name;
        let visits = self.profile.values_of(Profile::MAX_TIME).filter(|&(path, ..)| name(path) == region);
        visits.map(|(.., seconds)| seconds).reduce(f64::max).filter(|seconds| *seconds > 0.0)
    }

    /// Messages and operations of a call path, on all units.
    pub(crate) fn moved(&self, path: Place<'_>) -> Moved {
        let mut all = Moved::default();
        self.numbers(path).iter().for_each(|&path| all += self.moved[path as usize]);
        all
    }

    /// All call paths, by name and call site.
    pub(crate) fn paths(&self) -> impl Iterator<Item = Place<'_>> {
        let of_names = self.paths.iter();
        of_names.flat_map(|(names, sites)| sites.keys().map(move |&site| Place { names, site }))
    }

    /// The numbers of a call path in the profile.
    pub(crate) fn numbers<'f>(&'f self, path: Place<'f>) -> &'f [u32] {
        let of_names = self.paths.get(path.names);
        of_names.and_then(|sites| sites.get(&path.site)).map_or(&[], Vec::as_slice)
    }

    /// The number of a call path in the profile, the first of several.
    pub(super) fn first_number(&self, path: Place<'_>) -> Option<u32> {
        self.numbers(path).first().copied()
    }

    /// The messages of each unit below call paths of these names.
    pub(super) fn messages(&self, below: &[String]) -> Vec<Messages> {
        let mut messages = vec![Messages::default(); self.profile.units.len()];
        let mut are_below = vec![false; self.profile.call_tree.len()];
        let of_names = self.paths.get(below).into_iter().flat_map(BTreeMap::values).flatten();
        of_names.for_each(|&path| are_below[path as usize] = true);
        for node in &self.profile.call_tree {
            let is_parent_below = node.parent.map_or(below.is_empty(), |parent| are_below[parent as usize]);
            are_below[node.id as usize] |= is_parent_below;
        }
        let mut add = |metric, count: fn(&mut Messages) -> &mut f64| {
            for (path, unit, value) in self.profile.values_of(metric) {
                if are_below[path as usize] {
                    *count(&mut messages[unit as usize]) += value;
                }
            }
        };
        ["comms_send", "syncs_send"].iter().for_each(|metric| add(metric, |of| &mut of.sent));
        ["comms_recv", "syncs_recv"].iter().for_each(|metric| add(metric, |of| &mut of.received));
        messages
    }

    /// A call path of the root causes.
    pub(super) fn place(&self, path: Option<u32>) -> Option<Place<'a>> {
        Place::of_cause(self.causes()?, path?)
    }

    /// Values of each unit, summed over call paths.
    pub(super) fn summed(&self, paths: &[Place<'_>], of: fn(&Self, Place<'_>) -> Vec<f64>) -> Vec<f64> {
        let mut sums = vec![0.0; self.profile.units.len()];
        for &path in paths {
            sums.iter_mut().zip(of(self, path)).for_each(|(sum, value)| *sum += value);
        }
        sums
    }

    /// The functions that units were found in by samples, in call paths alone.
    pub(super) fn functions(&self, paths: &[Place<'_>], units: &[u32]) -> Vec<FunctionShare> {
        let paths: Vec<u32> = paths.iter().flat_map(|&path| self.numbers(path)).copied().collect();
        self.profile.functions(|of| paths.contains(&of.call_path) && units.contains(&of.unit))
    }

    /// The last region of a call path.
    fn region(&self, path: Place<'_>) -> Option<&'a ProfiledRegion> {
        let &path = self.numbers(path).first()?;
        Some(&self.profile.regions[self.profile.call_tree[path as usize].region as usize])
    }

    /// Whether a call path is that of code between two calls, which the trace has no region for.
    pub(super) fn is_segment(&self, path: Place<'_>) -> bool {
        self.region(path).is_some_and(ProfiledRegion::is_segment)
    }

    /// File and line of a call path's last region, which has no call site.
    pub(super) fn line(&self, path: Place<'_>) -> Option<(&'a str, u32)> {
        self.region(path)?.source().map(|(file, [line, _])| (file, line))
    }

    /// The place of a call path's last region in the source; of a call, where it stands.
    pub(super) fn source(&self, path: Place<'_>) -> Option<SourceLine> {
        if let Some(site) = path.site.filter(|site| site.line > 0) {
            return Some(SourceLine { file: site.file.clone(), line: site.line });
        }
        let (file, [line, _]) = self.region(path)?.source()?;
        Some(SourceLine { file: file.to_owned(), line })
    }
}
