//! The critical path: the chain of work that made the run as long as it is.

use std::{cmp::Reverse, collections::BinaryHeap, io};

use ats_documents::causes::CriticalPath as Document;
use rustc_hash::FxHashMap;

use super::{
    marks::{Mark, MarkKind, WayBack, Ways},
    sums::Position,
};

/// The critical path, in ticks of the common clock.
#[derive(Debug, Default)]
pub(super) struct CriticalPath {
    pub(super) stretches: Stretches,
    /// Its time by location and call path.
    pub(super) profile: FxHashMap<(u32, u32), u64>,
}

/// A part of a path: its length, begin and location. A shorter one is greater.
type ByLength = (Reverse<u64>, u64, u32);

/// The longest parts of a path, each on one location.
#[derive(Debug, Default)]
pub(super) struct Stretches {
    /// The shortest first, and of equal ones the last in time first.
    longest: BinaryHeap<ByLength>,
    /// The part that the path has come to: location, begin and end.
    under_way: Option<(u32, u64, u64)>,
    omitted: u64,
}

impl Stretches {
    /// The path has been on a location before all that is known.
    fn add(&mut self, location: u32, begin: u64, end: u64) {
        // Time may run backwards in a damaged trace.
        let end = end.max(begin);
        match &mut self.under_way {
            Some(later) if later.0 == location => (later.1, later.2) = (begin.min(later.1), end.max(later.2)),
            under_way => {
                let later = under_way.replace((location, begin, end));
                self.keep(later);
            }
        }
    }

    fn keep(&mut self, part: Option<(u32, u64, u64)>) {
        let Some((location, begin, end)) = part else { return };
        self.longest.push((Reverse(end - begin), begin, location));
        if self.longest.len() > Document::LONGEST {
            self.longest.pop();
            self.omitted += 1;
        }
    }

    /// The longest parts in the order of time, as location, begin and end; and the number of the others.
    pub(super) fn into_longest(mut self) -> (Vec<(u32, u64, u64)>, u64) {
        let last = self.under_way.take();
        self.keep(last);
        let part = |(Reverse(length), begin, location): ByLength| (location, begin, begin + length);
        let mut parts: Vec<_> = self.longest.into_iter().map(part).collect();
        parts.sort_unstable_by_key(|&(location, begin, end)| (begin, end, location));
        (parts, self.omitted)
    }
}

/// The end of a run: when, where, and the position there.
pub(super) type End = (u64, usize, Position);

/// Walks back from the last of the `ends` to the `first` time.
///
/// # Errors
/// A temporary file cannot be read.
pub(super) fn walk(ways: &Ways, locations: usize, ends: &[End], first: u64) -> io::Result<CriticalPath> {
    let mut path = CriticalPath::default();
    let last = ends.iter().max_by_key(|&&(time, location, _)| (time, Reverse(location)));
    let Some(&(mut end, mut location, mut position)) = last else { return Ok(path) };
    let mut lines: Vec<Line> = (0..locations)
        .map(|location| Line { way: WayBack::new(ways, location), at: Position::MAX, time: None })
        .collect();
    let mut spent: FxHashMap<u32, u64> = FxHashMap::default();
    loop {
        let line = &mut lines[location];
        line.go_back(position, ways)?;
        end = line.time.unwrap_or(end);
        let turn = line.stretch(ways, &mut spent)?;
        for (call_path, ticks) in spent.drain() {
            let spent = path.profile.entry((location as u32, call_path)).or_default();
            *spent = spent.saturating_add(ticks);
        }
        path.stretches.add(location as u32, turn.map_or(first, |turn| turn.time).max(first), end);
        let Some((next, at)) = turn.and_then(|turn| turn.led_by()) else { break };
        (location, position) = (next as usize, at);
    }
    Ok(path)
}

/// A location that the path may come to.
struct Line {
    way: WayBack,
    /// The position of the last mark that was taken, and its time.
    at: Position,
    time: Option<u64>,
}

impl Line {
    /// Goes back to a position, behind all marks there; the time before it is not taken.
    fn go_back(&mut self, position: Position, ways: &Ways) -> io::Result<()> {
        while self.at > position && self.pass(ways)?.is_some() {}
        while self.way.peek(ways)?.is_some_and(|mark| mark.at >= position) {
            self.pass(ways)?;
        }
        Ok(())
    }

    /// Takes a mark.
    fn pass(&mut self, ways: &Ways) -> io::Result<Option<Mark>> {
        let mark = self.way.next(ways)?;
        if let Some(mark) = &mark {
            (self.at, self.time) = (mark.at, Some(mark.time));
        }
        Ok(mark)
    }

    /// Goes back to where the path turns or ends; adds the ticks by call path up to there.
    fn stretch(&mut self, ways: &Ways, spent: &mut FxHashMap<u32, u64>) -> io::Result<Option<Mark>> {
        let mut spend = |path: u32, ticks: u64| {
            let spent = spent.entry(path).or_default();
            *spent = spent.saturating_add(ticks);
        };
        loop {
            self.way.spells(ways, &mut spend)?;
            let Some(mark) = self.pass(ways)? else { return Ok(None) };
            if mark.led_by().is_some() {
                if let Some(spent) = spent.get_mut(&mark.path) {
                    *spent = spent.saturating_sub(mark.waited);
                }
                return Ok(Some(mark));
            }
            match mark.kind {
                MarkKind::END => return Ok(Some(mark)),
                MarkKind::MANAGEMENT => spend(mark.path, mark.waited),
                _ => {}
            }
        }
    }
}
