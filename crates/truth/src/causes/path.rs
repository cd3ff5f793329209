//! The critical path: which chain of work made the run as long as it is.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Bound,
};

use ats_model::{delay::Extent, mpi::Kind as Does};

use super::{
    meetings::{At, Key, Met, visit_of},
    timeline::{Cell, Timeline},
};

/// A part of the critical path on one location, in ticks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// Index of the location.
    pub location: usize,
    /// The tick of its begin.
    pub begin: u64,
    /// The tick of its end.
    pub end: u64,
}

/// The critical path.
#[derive(Debug, Default)]
pub struct CriticalPath {
    /// The parts that it consists of, first to last.
    pub stretches: Vec<Stretch>,
    /// Its ticks, by location and call path.
    pub profile: BTreeMap<Cell, u64>,
}

/// Walks back from the process that came to `MPI_Finalize` last, or without MPI from the main thread that ended last.
pub(super) fn walk(lines: &[Timeline], met: &Met) -> CriticalPath {
    let mut led_by: BTreeMap<At, At> = met.led_by.clone();
    let causings = met.causings.iter().filter(|causing| causing.kind.extent() == Extent::Scalasca);
    led_by.extend(causings.map(|causing| (causing.waits, causing.late)));
    let mut path = CriticalPath::default();
    let mut passed: BTreeSet<At> = BTreeSet::new();
    let Some((mut location, mut end, mut until)) = last(lines, met) else { return path };
    loop {
        let before = (Bound::Unbounded, until.map_or(Bound::Unbounded, Bound::Excluded));
        let mut earlier =
            met.points[location].range(before).rev().map(|(&key, point)| ((location, key), point));
        let turn = earlier.find(|&(at, _)| {
            led_by.contains_key(&at) || visit_of(lines, at).is(|kind| kind == Does::Initialize)
        });
        let begin = turn.map(|(at, _)| visit_of(lines, at).enter);
        let (from, to) = (turn.map(|((_, (visit, _)), _)| visit), until.map(|(visit, _)| visit));
        for (call_path, mut ticks) in lines[location].between(from, to) {
            if let Some((at, point)) = turn
                && led_by.contains_key(&at)
                && visit_of(lines, at).path == call_path
            {
                ticks -= point.wait.min(ticks);
            }
            *path.profile.entry((location, call_path)).or_default() += ticks;
        }
        path.stretches.push(Stretch { location, begin: begin.or(lines[location].begin).unwrap_or(end), end });
        let Some(&(next, key)) = turn.and_then(|(at, _)| led_by.get(&at)) else { break };
        // In a circle, as only a damaged trace has it, the path has no begin.
        if !passed.insert((next, key)) {
            break;
        }
        (location, until) = (next, Some(key));
        end = visit_of(lines, (next, key)).enter;
    }
    path.stretches.reverse();
    path
}

/// The location and the time of the end, and the sync point there; of several the lowest location.
fn last(lines: &[Timeline], met: &Met) -> Option<(usize, u64, Option<Key>)> {
    let mut ends: Vec<(usize, u64, Option<Key>)> = Vec::new();
    for (location, points) in met.points.iter().enumerate() {
        let at_end = points.keys().map(|&key| (visit_of(lines, (location, key)), key));
        let at_end = at_end.filter(|(visit, _)| visit.is(|kind| kind == Does::Finalize));
        ends.extend(at_end.map(|(visit, key)| (location, visit.enter, Some(key))));
    }
    if ends.is_empty() {
        let mains = lines.iter().enumerate().filter(|(_, line)| line.is_main);
        ends.extend(mains.map(|(location, line)| (location, line.end, None)));
    }
    ends.into_iter().rev().max_by_key(|&(_, end, _)| end)
}
