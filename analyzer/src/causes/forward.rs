//! The way forward over the tape: which part of each wait its causer spent in which call path, or waited itself.
//!
//! The locations go from stop to stop together, by time. So whoever waits comes before the one that it waits for, and
//! leaves a note of its own time there; memory holds the notes of those that wait right now.

use std::{
    cmp::Reverse,
    collections::{BinaryHeap, hash_map::Entry},
    io,
};

use ats_model::{WaitState, delay::Delay};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::{
    partners::{LastMet, Partners},
    places::Places,
    spool::{Forward, Spool},
    sums::{Position, Sums},
    tape::{Groups, Met, PassedStop, Points, Step},
};
use crate::{
    judge::points::{At, Stage},
    words::place::Place,
};

/// A mark on the way of a location.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) enum Mark {
    /// Time in a call path, by its number, in ticks.
    Spell {
        path: u32,
        ticks: u64,
    },
    Wait(Wait),
    /// A point without a wait, where the critical path goes on elsewhere, or ends: at `MPI_Init` and `MPI_Finalize`.
    Turn {
        time: u64,
        at: Position,
        led_by: Option<(u32, Position)>,
    },
    Causing(Causing),
}

/// A location waits.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct Wait {
    /// When its call is entered, by the common clock.
    pub(super) time: u64,
    pub(super) at: Position,
    pub(super) path: u32,
    pub(super) ticks: u64,
    /// The column of its finding, if its causes are asked for.
    pub(super) column: Option<u16>,
    /// The column of the finding of its process's idle threads meanwhile.
    pub(super) idle: Option<u16>,
    /// The point that is waited for.
    pub(super) led_by: Option<(u32, Position)>,
}

/// A location makes another one wait.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Causing {
    /// When its call is entered, by the common clock.
    pub(super) time: u64,
    pub(super) at: Position,
    /// The point since which it has spent more.
    pub(super) since: Position,
    /// The location that waits, and the point there.
    pub(super) waits: (u32, Position),
    pub(super) wait: u64,
    /// The column of the wait's finding, and its call path.
    pub(super) column: u16,
    pub(super) path: u32,
    /// The ticks by call path that it has spent more than the one that waits.
    pub(super) more: Vec<(u32, u64)>,
    /// The ticks that it has waited.
    pub(super) waited: u64,
}

impl Mark {
    /// When the location comes to it; `None` for time that passes on the way.
    pub(super) fn time(&self) -> Option<u64> {
        match self {
            Mark::Spell { .. } => None,
            Mark::Wait(Wait { time, .. }) | Mark::Turn { time, .. } | Mark::Causing(Causing { time, .. }) => {
                Some(*time)
            }
        }
    }

    /// Its position; `None` for time that passes on the way.
    pub(super) fn at(&self) -> Option<Position> {
        match self {
            Mark::Spell { .. } => None,
            Mark::Wait(Wait { at, .. }) | Mark::Turn { at, .. } | Mark::Causing(Causing { at, .. }) => {
                Some(*at)
            }
        }
    }
}

/// The position of a point on its location's tape.
pub(super) fn position(stop: u32, stage: Stage) -> Position {
    before(stop) + 1 + stage as u64
}

/// The position of the time before a stop; 0 is before that of the first stop.
fn before(stop: u32) -> Position {
    u64::from(stop) * 4 + 1
}

fn end_of(at: At) -> (u32, Position) {
    (at.location, position(at.stop, at.stage))
}

/// The results of the way forward.
pub(super) struct Passed {
    /// The marks of each location.
    pub(super) marks: Spool,
    /// For each location its time and its waits in call paths, in ticks.
    pub(super) spent: Vec<Vec<(u32, u64, u64)>>,
    /// For each location its time by call path outside parallel regions.
    pub(super) serial: Vec<FxHashMap<u32, Serial>>,
    /// The points of `MPI_Finalize`: time, location and position.
    pub(super) ends: Vec<(u64, usize, Position)>,
    /// Waits that nobody comes to cause, as only a damaged trace has them.
    pub(super) lost: u64,
}

/// Time of a main thread in a call path outside parallel regions, in ticks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Serial {
    pub(super) time: u64,
    /// The part that it waits.
    pub(super) wait: u64,
    /// The column of the finding of the threads that are idle meanwhile.
    pub(super) column: Option<u16>,
}

/// A location on its way.
#[derive(Default)]
struct Line {
    steps: Forward,
    /// The number of the next stop.
    number: u32,
    stop: PassedStop,
    sums: Sums,
    partners: Partners,
    waited: u64,
    /// The position of the last point.
    last: Position,
    serial: FxHashMap<u32, Serial>,
}

impl Line {
    /// Its time in a call path outside parallel regions.
    fn serial(&mut self, path: u32, place: Place, places: &mut Places<'_>) -> &mut Serial {
        self.serial.entry(path).or_insert_with(|| {
            let column = places.column(WaitState::IdleThreads, place);
            Serial { time: 0, wait: 0, column }
        })
    }
}

/// The note of a location that waits.
struct Note {
    waits: (u32, Position),
    wait: u64,
    column: u16,
    path: u32,
    /// Its ticks by call path since it met the causer last.
    spent: Vec<(u32, u64)>,
}

/// The way forward over a tape.
pub(super) struct WayForward<'p, 'a> {
    pub(super) spool: Spool,
    pub(super) groups: Groups,
    pub(super) points: Vec<Points>,
    pub(super) places: &'p mut Places<'a>,
    lines: Vec<Line>,
    marks: Spool,
    ends: Vec<(u64, usize, Position)>,
    /// By the causer's point.
    notes: FxHashMap<(u32, Position), Vec<Note>>,
    /// For each call path the ticks of the one that waits, while a causer is compared with it.
    of_waiting: Vec<u64>,
}

impl<'p, 'a> WayForward<'p, 'a> {
    pub(super) fn new(
        (spool, groups, points): (Spool, Groups, Vec<Points>),
        places: &'p mut Places<'a>,
    ) -> Self {
        let locations = points.len();
        let line = |stream| Line { steps: Forward::new(stream), ..Line::default() };
        WayForward {
            marks: Spool::new(locations, Some(spool.folder())),
            lines: (0..locations).map(line).collect(),
            ends: Vec::new(),
            notes: FxHashMap::default(),
            of_waiting: Vec::new(),
            spool,
            groups,
            points,
            places,
        }
    }

    /// Goes all the way.
    ///
    /// # Errors
    /// A temporary file cannot be read or written.
    pub(super) fn go(mut self) -> io::Result<Passed> {
        let mut next = BinaryHeap::new();
        for location in 0..self.lines.len() {
            next.extend(self.advance(location)?.map(|time| Reverse((time, location))));
        }
        while let Some(Reverse((mut time, location))) = next.pop() {
            loop {
                self.stop(location, time)?;
                let Some(later) = self.advance(location)? else { break };
                time = later;
                if next.peek().is_some_and(|&Reverse(other)| other < (time, location)) {
                    next.push(Reverse((time, location)));
                    break;
                }
            }
        }
        let lost = self.notes.values().map(Vec::len).sum::<usize>() as u64;
        let (spent, serial) =
            self.lines.into_iter().map(|line| (line.sums.all().collect(), line.serial)).unzip();
        Ok(Passed { marks: self.marks, spent, serial, ends: self.ends, lost })
    }

    /// Advances a location to its next stop with a point; returns when that is. At its last one, it goes to the end.
    fn advance(&mut self, location: usize) -> io::Result<Option<u64>> {
        let target = self.points[location].peek(&mut self.spool)?.map(|met| met.stop);
        let at = target.map_or(Position::MAX, before);
        loop {
            let Some(step) = self.lines[location].steps.next(&mut self.spool)? else {
                // Points without a stop: nothing is known of them.
                while target.is_some() && self.points[location].next(&mut self.spool)?.is_some() {}
                return Ok(None);
            };
            match step {
                Step::Spell { base, path, is_serial, ticks } => {
                    let place = Place { location: location as u32, path, base };
                    let path = self.places.number(place);
                    let line = &mut self.lines[location];
                    line.sums.add_time(path, at, ticks);
                    if is_serial {
                        let serial = line.serial(path, place, self.places);
                        serial.time = serial.time.saturating_add(ticks);
                    }
                    self.marks.write(location, &Mark::Spell { path, ticks })?;
                }
                Step::Stop(stop) => {
                    let line = &mut self.lines[location];
                    line.number += 1;
                    if Some(line.number - 1) == target {
                        line.stop = stop;
                        return Ok(Some(self.places.time(location, stop.enter)));
                    }
                }
            }
        }
    }

    /// Takes the points of the stop that a location is at.
    fn stop(&mut self, location: usize, time: u64) -> io::Result<()> {
        let PassedStop { path, base, .. } = self.lines[location].stop;
        let place = Place { location: location as u32, path, base };
        let number = self.lines[location].number - 1;
        while self.points[location].peek(&mut self.spool)?.is_some_and(|met| met.stop == number) {
            let Some((met, state)) = self.points[location].next(&mut self.spool)? else { break };
            let at = position(met.stop, met.stage);
            let last = std::mem::replace(&mut self.lines[location].last, at);
            // A call that waits has one point at its end. In a damaged trace, it may have the records of others.
            if last != at || met.wait == 0 {
                self.point(place, time, &met, state)?;
            }
        }
        let line = &mut self.lines[location];
        if line.sums.are_many() {
            line.sums.forget(&line.partners.positions());
        }
        Ok(())
    }

    fn point(&mut self, place: Place, time: u64, met: &Met, state: WaitState) -> io::Result<()> {
        let location = place.location as usize;
        let path = self.places.number(place);
        let at = position(met.stop, met.stage);
        let column = self.places.column(state, place);
        let led_by = met.led_by.map(end_of);
        if let (Some((causer, _)), Some(column), true) = (led_by, column, met.wait > 0) {
            let spent = self.pruned(location, self.lines[location].partners.last_with(causer, &self.groups));
            let note = Note { waits: (place.location, at), wait: met.wait, column, path, spent };
            self.notes.entry(led_by.unwrap_or_default()).or_default().push(note);
        }
        if let Entry::Occupied(notes) = self.notes.entry((place.location, at)) {
            let notes = notes.remove();
            self.cause(location, time, at, notes)?;
        }
        // Before the wait, which comes first on the way backward.
        if matches!(state, WaitState::InitCompletion | WaitState::WaitAtFinalize) {
            self.marks.write(location, &Mark::Turn { time, at, led_by: None })?;
            if state == WaitState::WaitAtFinalize {
                self.ends.push((time, location, at));
            }
        }
        if met.wait > 0 {
            let is_serial = self.lines[location].stop.is_serial;
            let idle = if is_serial { self.places.column(WaitState::IdleThreads, place) } else { None };
            let led_by = led_by.filter(|_| Delay::moves_path(state));
            let wait = Wait { time, at, path, ticks: met.wait, column, idle, led_by };
            self.marks.write(location, &Mark::Wait(wait))?;
        } else if led_by.is_some() {
            self.marks.write(location, &Mark::Turn { time, at, led_by })?;
        }
        let line = &mut self.lines[location];
        if met.wait > 0 {
            line.waited = line.waited.saturating_add(met.wait);
            line.sums.add_wait(path, at, met.wait);
            if line.stop.is_serial {
                let serial = line.serial(path, place, self.places);
                serial.wait = serial.wait.saturating_add(met.wait);
            }
        }
        let mut total = line.stop.total;
        if state == WaitState::OmpManagement {
            total = met.since_fork;
            if total > 0 {
                // It is spent after the point.
                line.sums.add_time(path, at + 1, total);
                self.marks.write(location, &Mark::Spell { path, ticks: total })?;
            }
        }
        let last = LastMet { at, path, total, completion: met.completion, waited: line.waited };
        line.partners.meet(met.partners, last, &self.groups);
        Ok(())
    }

    /// The ticks in each call path from a point to now, less the waits; those of the call at that point only as far as
    /// the location left it late.
    fn pruned(&self, location: usize, since: Option<LastMet>) -> Vec<(u32, u64)> {
        let spent = self.lines[location].sums.since(since.map_or(0, |met| met.at));
        let pruned = spent.map(|(path, time, wait)| {
            let own = since.filter(|met| met.path == path);
            let (completion, total) = own.map_or((0, 0), |met| (met.completion, met.total));
            (path, (time.saturating_sub(wait) + completion).saturating_sub(total))
        });
        pruned.filter(|&(_, ticks)| ticks > 0).collect()
    }

    /// The location is at a point that others wait for.
    fn cause(&mut self, location: usize, time: u64, at: Position, notes: Vec<Note>) -> io::Result<()> {
        // Most of them have met it at one point last.
        let mut spent: Option<(Position, Vec<(u32, u64)>)> = None;
        for Note { waits, wait, column, path, spent: of_waiting } in notes {
            let since = self.lines[location].partners.last_with(waits.0, &self.groups);
            let position = since.map_or(0, |met| met.at);
            let own = match spent.take() {
                Some((same, own)) if same == position => own,
                _ => self.pruned(location, since),
            };
            self.of_waiting.resize(self.places.paths(), 0);
            of_waiting.iter().for_each(|&(path, ticks)| self.of_waiting[path as usize] = ticks);
            let more = |&(path, ticks): &(u32, u64)| {
                let more = ticks.saturating_sub(self.of_waiting[path as usize]);
                (more > 0).then_some((path, more))
            };
            let more = own.iter().filter_map(more).collect();
            of_waiting.iter().for_each(|&(path, _)| self.of_waiting[path as usize] = 0);
            let waited = self.lines[location].waited - since.map_or(0, |met| met.waited);
            let causing = Causing { time, at, since: position, waits, wait, column, path, more, waited };
            self.marks.write(location, &Mark::Causing(causing))?;
            spent = Some((position, own));
        }
        Ok(())
    }
}
