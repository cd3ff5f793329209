//! Conversion of metrics into findings and calls.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};

use ats_documents::Causes;
use ats_documents::finding::LocationShare;
use ats_documents::profile::ProcessingUnit;
use ats_documents::report::CallShare;
use ats_model::WaitState;
use ats_model::traffic::CallCounter;

use super::anchor::Location;
use super::idle;
use super::metrics::{self, Cube, Row, Values};
use super::vocabulary::Meaning;
use crate::draft::Draft;
use crate::error::At;
use crate::{ReportError, limits, names, number};

/// The amount below zero that subtraction leaves, in seconds.
const NOTHING: f64 = 1e-9;

/// The wait states that Cube works out of the times.
const IDLE: [WaitState; 2] = [WaitState::IdleThreads, WaitState::LimitedParallelism];

/// Reads all metrics with a meaning of ours into `draft`.
pub(crate) fn collect<'a>(cube: &Cube<'a>, draft: &mut Draft<'a>) -> Result<(), ReportError> {
    let Some(time) = cube.metric_of(Meaning::Time) else {
        let fix = "name the profile.cubex of Score-P, or the scout.cubex or trace.cubex of Scalasca";
        return Err(cube.origin.unsupported(At::Whole, "has no metric \"time\" in seconds", fix));
    };
    let mut collector = Collector::new(cube, draft)?;
    collector.shape();
    collector.calls(time)?;
    let mut names = Vec::new();
    for metric in 0..cube.meanings.len() {
        let property = match cube.meanings[metric] {
            Some(Meaning::Wait(state)) => Some(state),
            Some(Meaning::WaitOfSeveral) => None,
            Some(Meaning::Count(counter)) if counter != CallCounter::Visits => {
                // What a metric above it has already counted is a part of that.
                if cube.above(metric).all(|above| cube.meanings[above] != Some(Meaning::Count(counter))) {
                    collector.counts(Some(counter), metric)?;
                }
                continue;
            }
            Some(Meaning::Machine) => {
                collector.counts(None, metric)?;
                continue;
            }
            Some(Meaning::Cost) => {
                collector.costs(metric)?;
                continue;
            }
            Some(Meaning::Class | Meaning::Time | Meaning::Count(_)) => continue,
            None => {
                collector.unmapped(metric)?;
                continue;
            }
        };
        names.extend(property);
        let mut values = cube.without_metrics(metric, |below| cube.meanings[below].is_some())?;
        for path in 0..cube.anchor.tree.len() {
            if let Some(row) = values.exclusive(path)? {
                collector.finding(property, &cube.anchor.metrics[metric].name, path, &row)?;
            }
        }
    }
    if names.contains(&WaitState::OmpManagement) && !names.iter().any(|state| IDLE.contains(state)) {
        names.extend(IDLE);
        collector.idle(time)?;
    }
    names.sort();
    collector.finish(names);
    Ok(())
}

/// Turns metrics into findings and calls.
struct Collector<'c, 'd, 'a> {
    cube: &'c Cube<'a>,
    draft: &'d mut Draft<'a>,
    /// The plain names of the regions that are called.
    regions: HashMap<u32, String>,
    /// The columns that are threads of a process.
    threads: Vec<usize>,
    /// The costs, if there are metrics of them, and the numbers of their call paths.
    causes: Option<Causes>,
    caused: HashMap<usize, u32>,
    /// The number of negative values, and the places of the first ones.
    negative: (usize, Vec<String>),
}

impl<'c, 'd, 'a> Collector<'c, 'd, 'a> {
    fn new(cube: &'c Cube<'a>, draft: &'d mut Draft<'a>) -> Result<Self, ReportError> {
        let mut regions = HashMap::new();
        for (_, node) in cube.anchor.tree.nodes() {
            if let Entry::Vacant(entry) = regions.entry(node.callee) {
                let name = names::region(cube.anchor.region_name(node.callee));
                draft.take(name.len())?;
                entry.insert(name);
            }
        }
        let columns = cube.anchor.locations.iter().enumerate();
        let threads = columns.filter(|(_, location)| location.is_thread).map(|(at, _)| at).collect();
        Ok(Collector {
            cube,
            draft,
            regions,
            threads,
            causes: None,
            caused: HashMap::new(),
            negative: (0, Vec::new()),
        })
    }

    fn finish(self, names: Vec<WaitState>) {
        self.draft.names(names);
        let places = self.threads.iter().map(|&at| self.cube.anchor.locations[at]);
        let units = places.map(|place| ProcessingUnit { rank: place.rank, thread: place.thread, node: None });
        self.draft.causes(self.causes.map(|causes| Causes { units: units.collect(), ..causes }));
        let (count, first) = self.negative;
        let more = count - first.len();
        first.into_iter().for_each(|warning| self.draft.warn(warning));
        if more > 0 {
            self.draft.warn(format!("{more} more values are negative and were omitted"));
        }
    }

    fn name(&self, region: u32) -> &str {
        self.regions.get(&region).map_or("", String::as_str)
    }

    fn path(&mut self, index: usize) -> Result<Vec<String>, ReportError> {
        let path = self.cube.anchor.tree.path(index);
        let regions = &self.regions;
        self.draft.path(path.iter().map(|region| regions.get(region).map_or("", String::as_str)))
    }

    /// A metric's value at a call path and location, for a message.
    fn place(&self, metric: &str, index: usize, Location { rank, thread, .. }: Location) -> String {
        let path = self.cube.anchor.tree.path(index);
        let last = &path[path.len().saturating_sub(4)..];
        let frames: Vec<&str> = last.iter().map(|&region| names::shortened(self.name(region))).collect();
        format!("{metric} at {} of rank {rank} thread {thread}", frames.join("/"))
    }

    fn shape(&mut self) {
        let mut by_rank = HashMap::<u32, u32>::new();
        for &at in &self.threads {
            *by_rank.entry(self.cube.anchor.locations[at].rank).or_default() += 1;
        }
        self.draft.shape(Some(by_rank.len() as u32), by_rank.values().copied().max());
        let others = self.cube.anchor.locations.len() - self.threads.len();
        if others > 0 {
            self.draft.warn(format!("{others} locations are not threads of a process and were omitted"));
        }
    }

    /// The positive values in a row, by column.
    fn shares(&mut self, metric: &str, index: usize, row: &[f64]) -> Result<Vec<(usize, f64)>, ReportError> {
        let mut shares = Vec::new();
        for at in 0..self.threads.len() {
            let at = self.threads[at];
            let (location, value) = (self.cube.anchor.locations[at], row[at]);
            if value < -NOTHING {
                self.negative.0 += 1;
                if self.negative.1.len() < limits::WARNINGS {
                    let place = self.place(metric, index, location);
                    self.negative.1.push(format!("{place} is negative ({value} s) and was omitted"));
                }
            } else if value > 0.0 {
                let value = number::seconds(value).map_err(|what| {
                    let what = format!("{}: {what}", self.place(metric, index, location));
                    self.cube.origin.damaged(At::Whole, what)
                })?;
                shares.push((at, value));
            }
        }
        Ok(shares)
    }

    /// The times of all calls, and the basis that severities are relative to.
    fn calls(&mut self, time: usize) -> Result<(), ReportError> {
        let cube = self.cube;
        let visits = cube.metric_of(Meaning::Count(CallCounter::Visits));
        let mut visits = visits.map(|visits| cube.values(visits)).transpose()?;
        let mut outermost = Vec::new();
        let mut seconds = vec![0.0; cube.anchor.locations.len()];
        // As Scalasca's, `time` is longer by what threads were idle, in no call.
        let idle = cube.metric_of(Meaning::Wait(WaitState::IdleThreads));
        let idle = idle.filter(|&idle| cube.above(idle).any(|above| above == time));
        let mut idle = idle.map(|idle| cube.values(idle)).transpose()?.map(Values::inclusive);
        for whole in cube.values(time)?.inclusive() {
            let (index, mut time) = whole?;
            if let Some((_, Some(idle))) = idle.as_mut().and_then(Iterator::next).transpose()? {
                metrics::add(&mut time, -1.0, &idle);
            }
            let visits = visits.as_mut().map(|visits| visits.exclusive(index)).transpose()?;
            // In an ideal trace a call may have taken no time.
            if time.is_none() && visits.as_ref().is_none_or(|row| row.is_none()) {
                continue;
            }
            seconds.fill(0.0);
            if let Some(row) = time {
                self.shares("time", index, &row)?.into_iter().for_each(|(at, value)| seconds[at] = value);
            }
            let shares = self.call_shares(index, &seconds, visits.as_ref())?;
            if !shares.is_empty() {
                if cube.anchor.tree.is_outermost(index) {
                    outermost.push(shares.clone());
                }
                let path = self.path(index)?;
                self.draft.call(path, shares)?;
            }
        }
        self.draft.turn_calls();
        let mut wall_times = HashMap::<(u32, u32), f64>::new();
        for share in outermost.into_iter().rev().flatten() {
            *wall_times.entry((share.rank, share.thread)).or_default() += share.inclusive_time;
        }
        let wall_time = wall_times.into_values().fold(0.0, f64::max);
        self.draft.basis(wall_time, self.threads.len());
        Ok(())
    }

    /// The locations that were in a call path, with the seconds of each column, and its visits, if they are counted.
    fn call_shares(
        &self,
        index: usize,
        seconds: &[f64],
        visits: Option<&Row>,
    ) -> Result<Vec<CallShare>, ReportError> {
        let mut shares = Vec::new();
        for &at in &self.threads {
            let (location, inclusive_time) = (self.cube.anchor.locations[at], seconds[at]);
            let visits = visits.map(|row| number::count(row.as_ref().map_or(0.0, |row| row[at]))).transpose();
            let visits = visits.map_err(|what| {
                let what = format!("{}: {what}", self.place("visits", index, location));
                self.cube.origin.damaged(At::Whole, what)
            })?;
            if inclusive_time > 0.0 || visits > Some(0) {
                let Location { rank, thread, .. } = location;
                shares.push(CallShare { rank, thread, inclusive_time, visits });
            }
        }
        shares.shrink_to_fit();
        Ok(shares)
    }

    /// The waits of locations at a call path.
    fn finding(
        &mut self,
        property: Option<WaitState>,
        metric: &str,
        index: usize,
        row: &[f64],
    ) -> Result<(), ReportError> {
        let shares = self.shares(metric, index, row)?;
        if shares.is_empty() {
            return Ok(());
        }
        let share = |&(at, waiting_time): &(usize, f64)| {
            let Location { rank, thread, .. } = self.cube.anchor.locations[at];
            LocationShare { rank, thread, waiting_time }
        };
        let shares: Vec<LocationShare> = shares.iter().map(share).collect();
        let path = self.path(index)?;
        self.draft.finding(property, metric, path, shares)
    }

    /// The data that calls move, over all threads, or what the machine counts under the metric's name.
    fn counts(&mut self, counter: Option<CallCounter>, metric: usize) -> Result<(), ReportError> {
        let mut values = self.cube.values(metric)?;
        for index in 0..self.cube.anchor.tree.len() {
            let Some(row) = values.exclusive(index)? else { continue };
            let sum: f64 = self.threads.iter().map(|&at| row[at]).sum();
            let name = &self.cube.anchor.metrics[metric].name;
            let number = number::count(sum)
                .map_err(|what| self.cube.origin.damaged(At::Whole, format!("metric {name:?}: {what}")))?;
            let path = self.path(index)?;
            match counter {
                Some(counter) => self.draft.count(path, counter, number)?,
                None => self.draft.number(path, name, number)?,
            }
        }
        Ok(())
    }

    /// Takes a metric of costs.
    fn costs(&mut self, metric: usize) -> Result<(), ReportError> {
        let cube = self.cube;
        let name = &cube.anchor.metrics[metric].name;
        let mut values = cube.without_metrics(metric, |below| cube.meanings[below].is_some())?;
        let mut cells = Vec::new();
        for path in 0..cube.anchor.tree.len() {
            let Some(row) = values.exclusive(path)? else { continue };
            let shares = self.shares(name, path, &row)?;
            if shares.is_empty() {
                continue;
            }
            self.draft.take(shares.len() * size_of::<(u32, u32, f64)>())?;
            let number = self.cost_path(path)?;
            let unit = |at: usize| self.threads.partition_point(|&thread| thread < at) as u32;
            cells.extend(shares.into_iter().map(|(at, seconds)| (number, unit(at), seconds)));
        }
        self.causes.get_or_insert_default().metrics.insert(name.clone(), cells);
        Ok(())
    }

    /// The number of a call path among those that have costs. That of the program itself, which no trace has as a region,
    /// is empty.
    fn cost_path(&mut self, index: usize) -> Result<u32, ReportError> {
        if let Some(&number) = self.caused.get(&index) {
            return Ok(number);
        }
        let anchor = &self.cube.anchor;
        let is_artificial =
            |region: &u32| anchor.regions.get(region).is_some_and(|region| region.is_artificial);
        let is_program = matches!(&anchor.tree.path(index)[..], [root] if is_artificial(root));
        let path = if is_program { Vec::new() } else { self.path(index)? };
        let paths = &mut self.causes.get_or_insert_default().call_paths;
        let number = paths.len() as u32;
        paths.push(path);
        self.caused.insert(index, number);
        Ok(number)
    }

    fn idle(&mut self, time: usize) -> Result<(), ReportError> {
        let anchor = &self.cube.anchor;
        let masters = idle::masters(&anchor.locations);
        let constructs = idle::constructs(&anchor.tree, |region| self.name(region).starts_with("!$omp"));
        let mut times = self.cube.values(time)?;
        let mut in_constructs = BTreeMap::<u32, Row>::new();
        for (index, construct) in constructs.into_iter().enumerate() {
            let Some(row) = times.exclusive(index)? else { continue };
            match construct {
                Some(construct) => metrics::add(in_constructs.entry(construct).or_default(), 1.0, &row),
                None => self.derived(WaitState::IdleThreads, index, &idle::idle(&masters, &row))?,
            }
        }
        for (construct, row) in in_constructs {
            let limited = idle::limited(&masters, row.as_deref().unwrap_or_default());
            self.derived(WaitState::LimitedParallelism, construct as usize, &limited)?;
        }
        Ok(())
    }

    fn derived(&mut self, state: WaitState, index: usize, row: &[f64]) -> Result<(), ReportError> {
        self.finding(Some(state), state.label(), index, row)
    }

    /// A metric without meaning, unless it is a part of a wait state.
    fn unmapped(&mut self, metric: usize) -> Result<(), ReportError> {
        let cube = self.cube;
        let above = cube.above(metric).find_map(|above| cube.meanings[above]);
        if !cube.is_time(metric) || matches!(above, Some(Meaning::Wait(_) | Meaning::WaitOfSeveral)) {
            return Ok(());
        }
        let mut values = cube.without_metrics(metric, |below| cube.is_time(below))?;
        let mut seconds = 0.0;
        for index in 0..cube.anchor.tree.len() {
            seconds = values.exclusive(index)?.into_iter().flatten().fold(seconds, |sum, value| sum + value);
        }
        if seconds > NOTHING {
            self.draft.unmapped(&cube.anchor.metrics[metric].name, seconds);
        }
        Ok(())
    }
}
