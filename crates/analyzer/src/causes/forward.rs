//! The way forward over the tape: which part of each wait its causer spent in which call path, or waited itself.
//!
//! The locations go from stop to stop together, by time. So whoever waits comes before the one that it waits for, and
//! leaves a note of its own time there; memory holds the notes of those that wait right now.

use std::{cmp::Reverse, collections::BinaryHeap, io};

use ats_model::{
    WaitState,
    delay::{Delay, Extent},
};

use super::{
    compared::{Compared, Spent},
    left_out::LeftOut,
    marks::{Mark, MarkKind, Marks, Part, Ways},
    notes::{Note, Notes},
    partners::{LastMet, Partners},
    places::Places,
    sums::{Position, Sums},
    tape::{Ended, Groups, Met, PassedStop, Points, Spell, Streams, before},
};
use crate::{spool::Forward, words::place::Place};

/// The results of the way forward.
pub(super) struct Passed {
    /// The ways of the locations, with their marks.
    pub(super) ways: Ways,
    /// For each location its time and its waits in call paths, in ticks.
    pub(super) spent: Vec<Vec<(u32, u64, u64)>>,
    /// For each location its time by place outside parallel regions.
    pub(super) serial: Vec<Vec<Serial>>,
    /// The points of `MPI_Finalize`: time, location and position.
    pub(super) ends: Vec<(u64, usize, Position)>,
    /// Waits that nobody comes to cause, as only a damaged trace has them.
    pub(super) lost: u64,
}

/// Time of a main thread at a place outside parallel regions, in ticks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Serial {
    pub(super) path: u32,
    pub(super) time: u64,
    /// The part that it waits.
    pub(super) wait: u64,
    /// The column of the finding of the threads that are idle meanwhile.
    pub(super) column: Option<u16>,
}

/// A location on its way.
struct Line {
    stops: Forward<PassedStop>,
    spells: Forward<Spell>,
    points: Points,
    places: Vec<OfPlace>,
    /// The number of the next stop.
    number: u32,
    stop: PassedStop,
    sums: Sums,
    partners: Partners,
    left_out: LeftOut,
    /// The position of the last point.
    last: Position,
}

/// A place of a location.
struct OfPlace {
    place: Place,
    /// The number of its call path.
    path: u32,
    /// The index of that path's sums.
    sums: u32,
    /// Time and waits outside parallel regions, in ticks.
    serial: (u64, u64),
    /// The columns of the states that it has been asked for.
    columns: Vec<(WaitState, Option<u16>)>,
}

impl OfPlace {
    /// The column of a wait; `None` if its causes are not asked for.
    fn column(&mut self, state: WaitState, places: &mut Places<'_>) -> Option<u16> {
        if let Some(&(_, column)) = self.columns.iter().find(|(known, _)| *known == state) {
            return column;
        }
        let column = places.column(state, self.place);
        self.columns.push((state, column));
        column
    }

    /// Its time outside parallel regions, if it has any.
    fn into_serial(mut self, places: &mut Places<'_>) -> Option<Serial> {
        let (time, wait) = self.serial;
        if time == 0 {
            return None;
        }
        let column = self.column(WaitState::IdleThreads, places);
        Some(Serial { path: self.path, time, wait, column })
    }
}

impl Line {
    fn new(location: usize, points: Points, of_tape: Vec<Place>, places: &mut Places<'_>) -> Self {
        let mut sums = Sums::default();
        let mut known: Vec<OfPlace> = Vec::with_capacity(of_tape.len());
        let mut indices = rustc_hash::FxHashMap::default();
        for place in of_tape {
            let path = places.number(place);
            let sums = *indices.entry(path).or_insert_with(|| sums.begin(path));
            known.push(OfPlace { place, path, sums, serial: (0, 0), columns: Vec::new() });
        }
        Line {
            stops: Forward::freeing(location),
            spells: Forward::new(location),
            points,
            places: known,
            number: 0,
            stop: PassedStop::default(),
            sums,
            partners: Partners::default(),
            left_out: LeftOut::default(),
            last: 0,
        }
    }

    /// The ticks in each call path from a point to now; those of the call at that point only as far as the location left
    /// it late.
    fn time_since(&self, since: Option<LastMet>, into: &mut Spent) {
        into.work.clear();
        into.waits.clear();
        for (path, time, wait) in self.sums.since(since.map_or(0, |met| met.at)) {
            if wait > 0 {
                into.waits.push(Part { path: path.into(), ticks: wait });
            }
            let own = since.filter(|met| met.path == path);
            let (completion, total) = own.map_or((0, 0), |met| (met.completion, met.total));
            let ticks = time.saturating_sub(wait).saturating_add(completion).saturating_sub(total);
            if ticks > 0 {
                into.work.push(Part { path: path.into(), ticks });
            }
        }
    }
}

/// The way forward over a tape.
pub(super) struct WayForward<'p, 'a> {
    streams: Streams,
    groups: Groups,
    places: &'p mut Places<'a>,
    lines: Vec<Line>,
    marks: Marks,
    ends: Vec<(u64, usize, Position)>,
    notes: Notes,
    compared: Compared,
}

impl<'p, 'a> WayForward<'p, 'a> {
    pub(super) fn new(tape: Ended, places: &'p mut Places<'a>) -> Self {
        let Ended { streams, groups, points, places: of_tape } = tape;
        let line = |(location, (points, of_tape))| Line::new(location, points, of_tape, places);
        let lines: Vec<Line> = points.into_iter().zip(of_tape).enumerate().map(line).collect();
        WayForward {
            marks: Marks::new(lines.len(), &streams.store),
            lines,
            ends: Vec::new(),
            notes: Notes::default(),
            compared: Compared::default(),
            streams,
            groups,
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
        let paths_of = |line: &Line| line.places.iter().map(|of| of.path).collect();
        let paths = self.lines.iter().map(paths_of).collect();
        let Streams { store, spells, .. } = self.streams;
        let mut passed = Passed {
            ways: self.marks.into_ways(spells, paths, store),
            spent: Vec::new(),
            serial: Vec::new(),
            ends: self.ends,
            lost: self.notes.count(),
        };
        for Line { sums, places, .. } in self.lines {
            passed.spent.push(sums.iter().collect());
            passed.serial.push(places.into_iter().filter_map(|of| of.into_serial(self.places)).collect());
        }
        Ok(passed)
    }

    /// Advances a location to its next stop with a point; returns when that is. At its last one, it goes to the end.
    fn advance(&mut self, location: usize) -> io::Result<Option<u64>> {
        let Streams { store, stops, spells, points } = &mut self.streams;
        let line = &mut self.lines[location];
        let next = line.points.peek(points, store)?.map(|met| (met.stop(), met.begin));
        let at = next.map_or(Position::MAX, |(target, _)| before(target));
        loop {
            let stop = line.stops.next(stops, store)?;
            let mut left = stop.map_or(u32::MAX, |stop| stop.spells);
            while left > 0 {
                left -= 1;
                let Some(spell) = line.spells.next(spells, store)? else { break };
                let of = &mut line.places[spell.place as usize];
                line.sums.add_time(of.sums, at, spell.ticks);
                if spell.is_serial() {
                    of.serial.0 = of.serial.0.saturating_add(spell.ticks);
                }
                self.marks.pass_spell(location);
            }
            let Some(stop) = stop else {
                let time = self.places.end(location);
                self.marks.mark(
                    location,
                    Mark::new(MarkKind::POINT, time, Position::MAX),
                    &[],
                    &[],
                    store,
                )?;
                return Ok(None);
            };
            line.number += 1;
            if let Some((_, begin)) = next.filter(|&(target, _)| target == line.number - 1) {
                line.stop = stop;
                // Who waits in a collective operation has begun it before the late one, but may have entered its call
                // later.
                return Ok(Some(self.places.time(location, stop.enter).max(begin)));
            }
        }
    }

    /// Takes the points of the stop that a location is at.
    fn stop(&mut self, location: usize, time: u64) -> io::Result<()> {
        let number = self.lines[location].number - 1;
        loop {
            let line = &mut self.lines[location];
            let Streams { store, points, .. } = &mut self.streams;
            let Some((met, state, saved)) = line.points.next_at(number, points, store)? else { break };
            if state == WaitState::LimitedParallelism {
                line.left_out.take(&met, line.stop.place(), self.places);
                continue;
            }
            let last = std::mem::replace(&mut line.last, met.at);
            // A call that waits has one point at its end. In a damaged trace, it may have the records of others.
            if last != met.at || met.wait == 0 {
                self.point(location, time, &met, (state, saved))?;
            }
        }
        self.charge_for_left_out(location, time)?;
        let line = &mut self.lines[location];
        if line.sums.are_many() {
            line.sums.forget(&line.left_out.needed(line.partners.positions()));
        }
        Ok(())
    }

    fn point(
        &mut self,
        location: usize,
        time: u64,
        met: &Met,
        (state, saved): (WaitState, u64),
    ) -> io::Result<()> {
        let at = met.at;
        let line = &mut self.lines[location];
        let of = &mut line.places[line.stop.place()];
        let (path, sums) = (of.path, of.sums);
        let column = if met.wait > 0 { of.column(state, self.places) } else { None };
        if let (Some(causer), Some(_)) = (met.led_by(), column) {
            let note = self.notes.note(causer);
            note.waits = (location as u32, at);
            line.time_since(line.partners.last_with(causer.0, &self.groups), &mut note.spent);
        }
        let is_causing = self.cause(location, time, at)?;
        let is_end =
            matches!(state, WaitState::InitCompletion | WaitState::WaitAtInit | WaitState::WaitAtFinalize);
        let mark = |kind| Mark::new(kind, time, at);
        // Before the wait, which comes first on the way backward.
        if is_end {
            self.mark(location, mark(MarkKind::END))?;
            if state == WaitState::WaitAtFinalize {
                self.ends.push((time, location, at));
            }
        }
        let line = &mut self.lines[location];
        let (other, other_at) = met.led_by().unwrap_or((Mark::NOWHERE, 0));
        if met.wait > 0 {
            let of = &mut line.places[line.stop.place()];
            let mut idle = None;
            if line.stop.is_serial() {
                idle = of.column(WaitState::IdleThreads, self.places);
                of.serial.1 = of.serial.1.saturating_add(met.wait);
            }
            let wait = Mark {
                path,
                waited: met.wait,
                column: column.unwrap_or(Mark::NO_COLUMN),
                idle: idle.unwrap_or(Mark::NO_COLUMN),
                other: if Delay::moves_path(state) { other } else { Mark::NOWHERE },
                other_at,
                since: saved,
                ..mark(MarkKind::WAIT)
            };
            line.sums.add_wait(sums, at, met.wait);
            self.mark(location, wait)?;
        } else if other != Mark::NOWHERE {
            self.mark(location, Mark { path, other, other_at, ..mark(MarkKind::TURN) })?;
        } else if !is_end && !is_causing {
            self.mark(location, mark(MarkKind::POINT))?;
        }
        let line = &mut self.lines[location];
        let mut total = line.stop.total;
        if state == WaitState::OmpManagement {
            total = met.since_fork;
            if total > 0 {
                // It is spent after the point.
                line.sums.add_time(sums, at + 1, total);
                self.mark(location, Mark { path, waited: total, ..mark(MarkKind::MANAGEMENT) })?;
            }
        } else if matches!(state, WaitState::OmpCriticalContention | WaitState::OmpLockContention) {
            // What follows in the construct is work.
            total = met.wait;
        }
        let line = &mut self.lines[location];
        let last = LastMet { at, path, total, completion: met.completion };
        line.partners.meet(met.partners(), last, &self.groups);
        Ok(())
    }

    /// Threads were left out of a team up to the point that a location is at, if it is a join.
    fn charge_for_left_out(&mut self, location: usize, time: u64) -> io::Result<()> {
        let line = &mut self.lines[location];
        let Some((since, place, at, ticks)) = line.left_out.of_join() else { return Ok(()) };
        let of = &mut line.places[place];
        let Some(column) = of.column(WaitState::LimitedParallelism, self.places) else { return Ok(()) };
        let more = &mut self.compared.more;
        more.clear();
        let mut waited: u64 = 0;
        for (path, time, wait) in line.sums.since(since) {
            waited = waited.saturating_add(wait);
            if time > wait {
                more.push(Part { path: path.into(), ticks: time - wait });
            }
        }
        let mark = Mark { column, waited, since, other_at: ticks, ..Mark::new(MarkKind::LEFT_OUT, time, at) };
        self.marks.mark(location, mark, &self.compared.more, &[], &mut self.streams.store)
    }

    /// Makes a mark on the way of a location.
    fn mark(&mut self, location: usize, mark: Mark) -> io::Result<()> {
        self.marks.mark(location, mark, &[], &[], &mut self.streams.store)
    }

    /// The location is at a point; returns whether others wait for it.
    fn cause(&mut self, location: usize, time: u64, at: Position) -> io::Result<bool> {
        let Some(mut next) = self.notes.first_of((location as u32, at)) else { return Ok(false) };
        let line = &self.lines[location];
        // Most of them have met it at one point last.
        let mut last: Option<Position> = None;
        loop {
            let Note { waits, spent, next: other } = self.notes.get(next);
            let since = line.partners.last_with(waits.0, &self.groups);
            let position = since.map_or(0, |met| met.at);
            if last.replace(position) != Some(position) {
                line.time_since(since, &mut self.compared.of_causer);
            }
            let compares_waits = self.places.extent == Extent::All;
            self.compared.compare(spent, self.places.paths(), compares_waits);
            let Compared { more, waited, in_part, .. } = &self.compared;
            let causing = Mark {
                other: waits.0,
                other_at: waits.1,
                since: position,
                waited: *waited,
                ..Mark::new(MarkKind::CAUSING, time, at)
            };
            self.marks.mark(location, causing, more, in_part, &mut self.streams.store)?;
            let taken = next;
            next = *other;
            self.notes.free(taken);
            if next == Notes::NONE {
                return Ok(true);
            }
        }
    }
}
