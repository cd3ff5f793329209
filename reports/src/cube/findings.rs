//! From metrics to findings and calls.

use std::collections::hash_map::Entry;

use ats_model::WaitState;
use ats_model::finding::LocationShare;
use ats_model::report::CallShare;
use rustc_hash::FxHashMap;

use super::anchor::{Anchor, Kind};
use super::idle;
use super::matrix::Matrix;
use super::rows::{self, Entries, ValueType};
use super::tar::Archive;
use super::vocabulary::{Meaning, meaning};
use crate::draft::Draft;
use crate::error::{At, Origin};
use crate::{ReportError, limits, names, number};

/// A report that is being read.
pub(crate) struct Cube<'a> {
    pub(crate) origin: Origin<'a>,
    pub(crate) archive: Archive<'a>,
    pub(crate) anchor: Anchor,
}

/// So much below zero is what subtraction leaves, in seconds.
const NOTHING: f64 = 1e-9;

/// Reads all metrics that our words cover into `draft`.
pub(crate) fn collect(cube: &Cube<'_>, draft: &mut Draft<'_>) -> Result<(), ReportError> {
    let anchor = &cube.anchor;
    let meanings: Vec<Option<Meaning>> =
        (0..anchor.metrics.len()).map(|metric| cube.meaning(metric)).collect();
    let of = |wanted: Meaning| meanings.iter().position(|meaning| *meaning == Some(wanted));

    let Some(time) = of(Meaning::Time) else {
        let fix = "name the profile.cubex of Score-P, or the scout.cubex or trace.cubex of Scalasca";
        return Err(cube.origin.unsupported(At::Whole, "has no metric \"time\" in seconds", fix));
    };
    let regions = Regions::new(cube, draft)?;
    let threads: Vec<usize> =
        (0..anchor.locations.len()).filter(|&at| anchor.locations[at].is_thread).collect();
    shape(cube, draft, &threads);

    let mut warnings = Warnings::default();
    let mut exclusive_time = cube.stored(time)?;
    let inclusive_time = if anchor.metrics[time].kind == Kind::Inclusive {
        let inclusive = cube.stored(time)?;
        exclusive_time.without_children(cube.origin, &anchor.tree)?;
        inclusive
    } else {
        let mut inclusive = cube.stored(time)?;
        inclusive.with_children(cube.origin, &anchor.tree)?;
        inclusive
    };
    let visits = of(Meaning::Visits).map(|visits| cube.exclusive(visits)).transpose()?;
    calls(cube, draft, &regions, &threads, &inclusive_time, visits.as_ref())?;
    draft.basis(longest(cube, &threads, &inclusive_time), threads.len());

    let mut names = Vec::new();
    for (metric, meaning) in meanings.iter().enumerate() {
        let property = match meaning {
            Some(Meaning::Wait(state)) => Some(*state),
            Some(Meaning::WaitOfSeveral) => None,
            Some(Meaning::Class | Meaning::Time | Meaning::Visits) => continue,
            None => {
                unmapped(cube, draft, &meanings, metric)?;
                continue;
            }
        };
        names.extend(property);
        let values = cube.own(metric, &meanings)?;
        let name = &anchor.metrics[metric].name;
        findings(cube, draft, &regions, &threads, (property, name), &values, &mut warnings)?;
    }
    let idle_states = [WaitState::IdleThreads, WaitState::LimitedParallelism];
    if names.contains(&WaitState::OmpManagement) && !names.iter().any(|state| idle_states.contains(state)) {
        let is_openmp = |region| regions.name(region).starts_with("!$omp");
        let (idle, limited) =
            idle::derive(cube.origin, &anchor.tree, &anchor.locations, is_openmp, &exclusive_time)?;
        for (state, values) in idle_states.into_iter().zip([idle, limited]) {
            names.push(state);
            findings(cube, draft, &regions, &threads, (Some(state), state.metric()), &values, &mut warnings)?;
        }
    }
    names.sort();
    draft.names(names);
    warnings.tell(draft);
    Ok(())
}

impl Cube<'_> {
    /// The meaning of a metric that has values; only times in seconds wait.
    fn meaning(&self, metric: usize) -> Option<Meaning> {
        let Meaning::Visits = meaning(&self.anchor.metrics[metric].name)? else {
            return self.is_time(metric).then(|| meaning(&self.anchor.metrics[metric].name)).flatten();
        };
        self.has_values(metric).then_some(Meaning::Visits)
    }

    fn is_time(&self, metric: usize) -> bool {
        self.has_values(metric) && self.anchor.metrics[metric].unit == "sec"
    }

    fn has_values(&self, metric: usize) -> bool {
        let metric = &self.anchor.metrics[metric];
        metric.kind != Kind::Derived
            && ValueType::of(&metric.data_type).is_some()
            && self.archive.entry(&format!("{}.index", metric.id)).is_some()
    }

    /// The values as they are stored.
    fn stored(&self, metric: usize) -> Result<Matrix, ReportError> {
        let (tree, locations) = (&self.anchor.tree, self.anchor.locations.len());
        let metric = &self.anchor.metrics[metric];
        let [index_name, data_name] = ["index", "data"].map(|kind| format!("{}.{kind}", metric.id));
        let [index, data] = [&index_name, &data_name].map(|name| {
            let origin = self.origin.entry(name);
            self.archive.entry(name).map(|bytes| (origin, bytes)).ok_or_else(|| {
                self.origin.damaged(At::Whole, format!("metric {:?} has no entry {name:?}", metric.name))
            })
        });
        let entries = Entries { index: index?, data: data? };
        let Some(value_type) = ValueType::of(&metric.data_type) else {
            return Err(self.origin.damaged(At::Whole, format!("metric {:?} has no numbers", metric.name)));
        };
        let order =
            if metric.kind == Kind::Inclusive { tree.wide() } else { (0..tree.len() as u32).collect() };
        let mut matrix = Matrix::new(tree.len(), locations);
        rows::read(&entries, value_type, tree.len(), locations, |row, values| {
            if let Some(value) = values.iter().find(|value| !value.is_finite()) {
                let what = format!("metric {:?} has a value of {value} in row {row}", metric.name);
                return Err(self.origin.entry(&data_name).damaged(At::Whole, what));
            }
            matrix.add(self.origin, order[row] as usize, 1.0, &values)
        })?;
        Ok(matrix)
    }

    /// The values without those of call paths below.
    fn exclusive(&self, metric: usize) -> Result<Matrix, ReportError> {
        let mut matrix = self.stored(metric)?;
        if self.anchor.metrics[metric].kind == Kind::Inclusive {
            matrix.without_children(self.origin, &self.anchor.tree)?;
        }
        Ok(matrix)
    }

    /// The values without those of call paths below, and without those of the metrics below that have a meaning of
    /// their own.
    fn own(&self, metric: usize, meanings: &[Option<Meaning>]) -> Result<Matrix, ReportError> {
        let mut matrix = self.exclusive(metric)?;
        for below in metric + 1..meanings.len() {
            if meanings[below].is_some() && self.nearest_above(below, meanings) == Some(metric) {
                matrix.subtract(self.origin, &self.exclusive(below)?)?;
            }
        }
        Ok(matrix)
    }

    /// The nearest metric above that has a meaning.
    fn nearest_above(&self, metric: usize, meanings: &[Option<Meaning>]) -> Option<usize> {
        let parent = |metric: usize| self.anchor.metrics[metric].parent;
        std::iter::successors(parent(metric), |&above| parent(above)).find(|&above| meanings[above].is_some())
    }
}

/// The plain names of the regions that are called.
struct Regions(FxHashMap<u32, String>);

impl Regions {
    fn new(cube: &Cube<'_>, draft: &mut Draft<'_>) -> Result<Self, ReportError> {
        let mut regions = FxHashMap::default();
        for (_, node) in cube.anchor.tree.nodes() {
            if let Entry::Vacant(entry) = regions.entry(node.callee) {
                let name = cube.anchor.regions.get(&node.callee).map_or("", String::as_str);
                let name = names::region(name);
                draft.take(name.len())?;
                entry.insert(name);
            }
        }
        Ok(Regions(regions))
    }

    fn name(&self, region: u32) -> &str {
        self.0.get(&region).map_or("", String::as_str)
    }

    fn path(&self, cube: &Cube<'_>, index: usize) -> Vec<String> {
        cube.anchor.tree.path(index).into_iter().map(|region| self.name(region).to_owned()).collect()
    }
}

fn shape(cube: &Cube<'_>, draft: &mut Draft<'_>, threads: &[usize]) {
    let mut by_rank = FxHashMap::<u32, u32>::default();
    for &at in threads {
        *by_rank.entry(cube.anchor.locations[at].rank).or_default() += 1;
    }
    draft.shape(Some(by_rank.len() as u32), by_rank.values().copied().max());
    let others = cube.anchor.locations.len() - threads.len();
    if others > 0 {
        draft.warn(format!("{others} locations are no threads of a process and were left out"));
    }
}

/// The longest that a thread spent in the whole program.
fn longest(cube: &Cube<'_>, threads: &[usize], inclusive_time: &Matrix) -> f64 {
    let roots = || cube.anchor.tree.nodes().filter(|(_, node)| node.parent.is_none());
    let of = |&at: &usize| {
        let rows = roots().filter_map(|(index, _)| inclusive_time.row(index));
        rows.map(|row| row[at]).sum::<f64>()
    };
    threads.iter().map(of).fold(0.0, f64::max)
}

fn calls(
    cube: &Cube<'_>,
    draft: &mut Draft<'_>,
    regions: &Regions,
    threads: &[usize],
    time: &Matrix,
    visits: Option<&Matrix>,
) -> Result<(), ReportError> {
    let entry = cube.origin;
    for (index, _) in cube.anchor.tree.nodes() {
        let Some(times) = time.row(index) else { continue };
        let visits = visits.map(|visits| visits.row(index));
        let mut shares = Vec::new();
        for &at in threads {
            let location = cube.anchor.locations[at];
            let named = |what: String| {
                let path = regions.path(cube, index).join("/");
                entry.damaged(
                    At::Whole,
                    format!("{what}, at {path} of rank {} thread {}", location.rank, location.thread),
                )
            };
            let inclusive_time = number::seconds(times[at]).map_err(named)?;
            let visits = visits.map(|row| number::count(row.map_or(0.0, |row| row[at]))).transpose();
            let visits = visits.map_err(named)?;
            shares.push(CallShare { rank: location.rank, thread: location.thread, inclusive_time, visits });
        }
        shares.retain(|share| share.inclusive_time > 0.0);
        draft.call(regions.path(cube, index), shares)?;
    }
    Ok(())
}

/// Reports what is negative, a few times.
#[derive(Default)]
struct Warnings {
    count: usize,
    first: Vec<String>,
}

impl Warnings {
    fn add(&mut self, warning: impl FnOnce() -> String) {
        self.count += 1;
        if self.first.len() < limits::WARNINGS {
            self.first.push(warning());
        }
    }

    fn tell(self, draft: &mut Draft<'_>) {
        let more = self.count - self.first.len();
        self.first.into_iter().for_each(|warning| draft.warn(warning));
        if more > 0 {
            draft.warn(format!("{more} more values are negative and were left out"));
        }
    }
}

fn findings(
    cube: &Cube<'_>,
    draft: &mut Draft<'_>,
    regions: &Regions,
    threads: &[usize],
    (property, metric): (Option<WaitState>, &str),
    values: &Matrix,
    warnings: &mut Warnings,
) -> Result<(), ReportError> {
    for (index, _) in cube.anchor.tree.nodes() {
        let Some(row) = values.row(index) else { continue };
        let mut shares = Vec::new();
        for &at in threads {
            let location = cube.anchor.locations[at];
            let place = || {
                let path = regions.path(cube, index).join("/");
                format!("{metric} at {path} of rank {} thread {}", location.rank, location.thread)
            };
            let waiting_time = row[at];
            if waiting_time < -NOTHING {
                warnings.add(|| format!("{} is negative ({waiting_time} s) and was left out", place()));
            } else if waiting_time > 0.0 {
                number::seconds(waiting_time)
                    .map_err(|what| cube.origin.damaged(At::Whole, format!("{}: {what}", place())))?;
                shares.push(LocationShare { rank: location.rank, thread: location.thread, waiting_time });
            }
        }
        if !shares.is_empty() {
            draft.finding(property, metric, regions.path(cube, index), shares)?;
        }
    }
    Ok(())
}

/// A metric without meaning, unless it is a part of a wait state.
fn unmapped(
    cube: &Cube<'_>,
    draft: &mut Draft<'_>,
    meanings: &[Option<Meaning>],
    metric: usize,
) -> Result<(), ReportError> {
    let above = cube.nearest_above(metric, meanings).and_then(|above| meanings[above]);
    if !cube.is_time(metric) || matches!(above, Some(Meaning::Wait(_) | Meaning::WaitOfSeveral)) {
        return Ok(());
    }
    let mut values = cube.exclusive(metric)?;
    for (below, description) in cube.anchor.metrics.iter().enumerate() {
        if description.parent == Some(metric) && cube.is_time(below) {
            values.subtract(cube.origin, &cube.exclusive(below)?)?;
        }
    }
    let rows = (0..cube.anchor.tree.len()).filter_map(|index| values.row(index));
    let seconds: f64 = rows.flatten().sum();
    if seconds > NOTHING {
        draft.unmapped(&cube.anchor.metrics[metric].name, seconds);
    }
    Ok(())
}
