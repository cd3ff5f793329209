//! The critical path: which chain of work made the run as long as it is.

use std::collections::BTreeMap;

use super::{
    meetings::{At, Met, visit_of},
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

/// Walks back from the process that came to the end last.
pub(super) fn walk(lines: &[Timeline], met: &Met) -> CriticalPath {
    let mut led_by: BTreeMap<At, At> = met.led_by.clone();
    led_by.extend(met.causings.iter().map(|causing| (causing.waits, causing.late)));
    let mut path = CriticalPath::default();
    let last = |location: usize| met.points[location].keys().next_back().map(|&key| (location, key));
    let ends = (0..lines.len()).filter_map(last);
    let Some(mut place) = ends.rev().max_by_key(|&at| visit_of(lines, at).enter) else { return path };
    loop {
        let (location, key) = place;
        let earlier =
            || met.points[location].range(..key).rev().map(|(&key, point)| ((location, key), point));
        let wait = earlier().find(|(at, _)| led_by.contains_key(at));
        let first = || met.points[location].range(..key).next().map(|(&key, _)| (location, key));
        let since = wait.map(|(at, _)| at).or_else(first);
        let begin = since.map_or(lines[location].begin(), |since| visit_of(lines, since).enter);
        let end = visit_of(lines, place).enter;
        for (call_path, ticks) in lines[location].between(begin, end) {
            *path.profile.entry((location, call_path)).or_default() += ticks;
        }
        path.stretches.push(Stretch { location, begin, end });
        let Some((at, point)) = wait else { break };
        if let Some(ticks) = path.profile.get_mut(&(location, visit_of(lines, at).path)) {
            let inside = lines[location].between(begin, end);
            let own = inside.get(&visit_of(lines, at).path).copied().unwrap_or_default();
            *ticks -= point.wait.min(own);
        }
        place = led_by[&at];
    }
    path.stretches.reverse();
    path
}
