//! The critical path: the chain of work that made the run as long as it is.

use std::{cmp::Reverse, io};

use rustc_hash::FxHashMap;

use super::{
    marks::{Mark, MarkKind, Marks, MarksBackward, Part},
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
/// A temporary file cannot be read.
pub(super) fn walk(marks: &mut Marks, locations: usize, ends: &[End]) -> io::Result<CriticalPath> {
    let mut path = CriticalPath::default();
    let last = ends.iter().max_by_key(|&&(time, location, _)| (time, Reverse(location)));
    let Some(&(mut end, mut location, mut position)) = last else { return Ok(path) };
    let mut lines: Vec<Line> = (0..locations)
        .map(|location| Line {
            marks: MarksBackward::new(marks, location),
            at: Position::MAX,
            time: None,
            more: Vec::new(),
        })
        .collect();
    let mut spent: FxHashMap<u32, u64> = FxHashMap::default();
    loop {
        let line = &mut lines[location];
        line.go_back(position, marks)?;
        end = line.time.unwrap_or(end);
        let turn = line.stretch(marks, &mut spent)?;
        for (call_path, ticks) in spent.drain() {
            let spent = path.profile.entry((location as u32, call_path)).or_default();
            *spent = spent.saturating_add(ticks);
        }
        path.stretches.push((location as u32, turn.map_or(0, |turn| turn.time), end));
        let Some((next, at)) = turn.and_then(|turn| turn.led_by()) else { break };
        (location, position) = (next as usize, at);
    }
    Ok(path)
}

/// A location that the path may come to.
struct Line {
    marks: MarksBackward,
    /// The position of the last mark that was taken, and its time.
    at: Position,
    time: Option<u64>,
    /// Room for parts that do not matter here.
    more: Vec<Part>,
}

impl Line {
    /// Goes back to a position, behind all marks there; the time before it is not taken.
    fn go_back(&mut self, position: Position, marks: &mut Marks) -> io::Result<()> {
        while self.at > position && self.pass(marks)?.is_some() {}
        while self.marks.peek(marks)?.is_some_and(|mark| mark.at >= position) {
            self.pass(marks)?;
        }
        Ok(())
    }

    /// Takes a mark.
    fn pass(&mut self, marks: &mut Marks) -> io::Result<Option<Mark>> {
        let mark = self.marks.next(marks, &mut self.more)?;
        if let Some(mark) = &mark {
            (self.at, self.time) = (mark.at, Some(mark.time));
        }
        Ok(mark)
    }

    /// Goes back to where the path turns or ends; adds the ticks by call path up to there.
    fn stretch(&mut self, marks: &mut Marks, spent: &mut FxHashMap<u32, u64>) -> io::Result<Option<Mark>> {
        loop {
            self.marks.spells(marks, |Part { path, ticks }| {
                let spent = spent.entry(path as u32).or_default();
                *spent = spent.saturating_add(ticks);
            })?;
            let Some(mark) = self.pass(marks)? else { return Ok(None) };
            if mark.led_by().is_some() {
                if let Some(spent) = spent.get_mut(&mark.path) {
                    *spent = spent.saturating_sub(mark.waited);
                }
                return Ok(Some(mark));
            }
            if mark.kind == MarkKind::END {
                return Ok(Some(mark));
            }
        }
    }
}
