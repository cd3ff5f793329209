//! The critical path: the chain of work that made the run as long as it is.

use std::{cmp::Reverse, io};

use rustc_hash::FxHashMap;

use super::{
    forward::{Mark, Wait},
    spool::{Backward, Spool},
    sums::Position,
};

/// The critical path, in ticks of the common clock.
#[derive(Debug, Default)]
pub(super) struct CriticalPath {
    /// Its parts, the last first: location, begin and end.
    pub(super) stretches: Vec<(u32, u64, u64)>,
    /// Its time by location and call path.
    pub(super) profile: FxHashMap<(u32, u32), u64>,
}

/// The end of a run: when, where, and the position there.
pub(super) type End = (u64, usize, Position);

/// Walks back from the last of the `ends`.
///
/// # Errors
/// The temporary file cannot be read.
pub(super) fn walk(marks: &mut Spool, locations: usize, ends: &[End]) -> io::Result<CriticalPath> {
    let mut path = CriticalPath::default();
    let last = ends.iter().max_by_key(|&&(time, location, _)| (time, Reverse(location)));
    let Some(&(mut end, mut location, mut position)) = last else { return Ok(path) };
    let mut lines: Vec<Line> = (0..locations)
        .map(|stream| Line { marks: Backward::new(marks, stream), at: Position::MAX, time: None })
        .collect();
    loop {
        let line = &mut lines[location];
        line.go_back(position, marks)?;
        end = line.time.unwrap_or(end);
        let Part { spells, begin, turn } = line.part(marks)?;
        for (call_path, ticks) in spells {
            *path.profile.entry((location as u32, call_path)).or_default() += ticks;
        }
        path.stretches.push((location as u32, begin.unwrap_or(0), end));
        let Some((next, at)) = turn else { break };
        (location, position) = (next as usize, at);
    }
    Ok(path)
}

/// A location that the path may come to.
struct Line {
    marks: Backward<Mark>,
    /// The position of the last mark that was taken, and its time.
    at: Position,
    time: Option<u64>,
}

/// A part of the path on one location.
struct Part {
    /// Its time by call path, in ticks.
    spells: FxHashMap<u32, u64>,
    /// Its begin; none at the begin of the location.
    begin: Option<u64>,
    /// The point where the path goes on.
    turn: Option<(u32, Position)>,
}

impl Line {
    /// Goes back to a position, behind all marks there.
    fn go_back(&mut self, position: Position, marks: &mut Spool) -> io::Result<()> {
        while self.at > position {
            match self.marks.next(marks)? {
                None => break,
                Some(mark) => self.pass(&mark),
            }
        }
        while self.marks.peek(marks)?.and_then(Mark::at).is_some_and(|at| at >= position) {
            self.marks.next(marks)?;
        }
        Ok(())
    }

    /// Takes a mark.
    fn pass(&mut self, mark: &Mark) {
        if let Some(at) = mark.at() {
            (self.at, self.time) = (at, mark.time());
        }
    }

    /// Goes back to where the path turns.
    fn part(&mut self, marks: &mut Spool) -> io::Result<Part> {
        let mut part = Part { spells: FxHashMap::default(), begin: None, turn: None };
        while let Some(mark) = self.marks.next(marks)? {
            self.pass(&mark);
            match mark {
                Mark::Spell { path, ticks } => *part.spells.entry(path).or_default() += ticks,
                Mark::Wait(Wait { time, path, ticks, led_by: Some(led_by), .. }) => {
                    if let Some(spent) = part.spells.get_mut(&path) {
                        *spent = spent.saturating_sub(ticks);
                    }
                    (part.begin, part.turn) = (Some(time), Some(led_by));
                    break;
                }
                Mark::Turn { time, led_by, .. } => {
                    (part.begin, part.turn) = (Some(time), led_by);
                    break;
                }
                Mark::Wait(_) | Mark::Causing(_) => {}
            }
        }
        Ok(part)
    }
}
