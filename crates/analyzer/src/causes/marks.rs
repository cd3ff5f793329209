//! The marks on the locations' ways: what the way forward finds, and the way backward needs.

use std::io;

use super::{sums::Position, tape::Spell};
use crate::spool::{Backward, Record, Spool, Store, record};

record! {
    /// A mark on the way of a location.
    #[derive(Clone, Copy, Debug)]
    pub(super) struct Mark {
        /// The location's entry into the call of the mark, or its begin of the collective operation there, by the common
        /// clock.
        pub(super) time: u64,
        pub(super) at: Position,
        pub(super) kind: MarkKind,
        /// The column of the wait's finding, or [`Mark::NO_COLUMN`].
        pub(super) column: u16,
        /// The column of the finding of its process's idle threads meanwhile, or [`Mark::NO_COLUMN`].
        pub(super) idle: u16,
        /// The ticks of the wait or of management; of a causing, those of the waits since it met the one that waits that make
        /// the location late.
        pub(super) waited: u64,
        /// Of a causing, the location that waits; else the one that the critical path continues on, or
        /// [`Mark::NOWHERE`].
        pub(super) other: u32,
        /// The call path of the wait or of management.
        pub(super) path: u32,
        /// The point of the other one; of threads that were left out, their ticks together.
        pub(super) other_at: Position,
        /// Of a causing, the point since which the location has spent more; of a wait, the ticks that another order of
        /// receives would have saved.
        pub(super) since: Position,
        /// The number of spells since the mark before.
        pub(super) spells: u32,
        /// Of a causing, the number of parts that the location has spent more than the one that waits.
        pub(super) more: u32,
        /// Of a causing, the number of call paths whose waits make the location late in part or not at all; 0 if all of
        /// its waits do.
        pub(super) in_part: u32,
    }
}

/// The kind of a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MarkKind(u32);

impl MarkKind {
    /// A point that the critical path may come to.
    pub(super) const POINT: MarkKind = MarkKind(0);
    /// The location waits.
    pub(super) const WAIT: MarkKind = MarkKind(1);
    /// The critical path goes on elsewhere though the location does not wait.
    pub(super) const TURN: MarkKind = MarkKind(2);
    /// The critical path begins or ends: at `MPI_Init` and `MPI_Finalize`.
    pub(super) const END: MarkKind = MarkKind(3);
    /// The location makes another one wait.
    pub(super) const CAUSING: MarkKind = MarkKind(4);
    /// The location has spent time in management of threads since the mark before.
    pub(super) const MANAGEMENT: MarkKind = MarkKind(5);
    /// The location has had a team without all threads.
    pub(super) const LEFT_OUT: MarkKind = MarkKind(6);
}

impl Record for MarkKind {
    const SIZE: usize = u32::SIZE;

    #[inline]
    fn put(self, bytes: &mut &mut [u8]) {
        self.0.put(bytes);
    }

    #[inline]
    fn take(bytes: &mut &[u8]) -> Self {
        MarkKind(u32::take(bytes))
    }
}

impl Mark {
    pub(super) const NO_COLUMN: u16 = u16::MAX;
    pub(super) const NOWHERE: u32 = u32::MAX;

    /// A mark of a kind at a point.
    pub(super) fn new(kind: MarkKind, time: u64, at: Position) -> Self {
        let (column, idle, other) = (Mark::NO_COLUMN, Mark::NO_COLUMN, Mark::NOWHERE);
        let (waited, path, other_at, since, spells, more, in_part) = (0, 0, 0, 0, 0, 0, 0);
        Mark { time, at, kind, column, idle, waited, other, path, other_at, since, spells, more, in_part }
    }

    /// Its column, if the causes of the wait are asked for.
    pub(super) fn column(&self) -> Option<u16> {
        (self.column != Mark::NO_COLUMN).then_some(self.column)
    }

    /// The column of idle threads.
    pub(super) fn idle(&self) -> Option<u16> {
        (self.idle != Mark::NO_COLUMN).then_some(self.idle)
    }

    /// The point that the critical path continues from, if it does not go on here.
    pub(super) fn led_by(&self) -> Option<(u32, Position)> {
        let leads = self.kind == MarkKind::WAIT || self.kind == MarkKind::TURN;
        (leads && self.other != Mark::NOWHERE).then_some((self.other, self.other_at))
    }
}

record! {
    /// Ticks in a call path.
    #[derive(Clone, Copy, Debug, Default)]
    pub(super) struct Part {
        /// The number of the call path.
        pub(super) path: u64,
        pub(super) ticks: u64,
    }
}

record! {
    /// Waits in a call path, and how far they make a location late.
    #[derive(Clone, Copy, Debug, Default)]
    pub(super) struct WaitsInPart {
        /// The number of the call path.
        pub(super) path: u64,
        /// Ticks of waiting.
        pub(super) all: u64,
        /// Ticks that the location has waited more than the one that waits for it.
        pub(super) more: u64,
    }
}

/// The marks of all locations, while they are made.
#[derive(Debug)]
pub(super) struct Marks {
    marks: Spool<Mark>,
    more: Spool<Part>,
    in_part: Spool<WaitsInPart>,
    /// For each location the number of spells since its last mark.
    spells: Vec<u32>,
}

impl Marks {
    /// No marks.
    pub(super) fn new(locations: usize, store: &Store) -> Self {
        Marks {
            marks: Spool::new(locations, store),
            more: Spool::new(locations, store),
            in_part: Spool::new(locations, store),
            spells: vec![0; locations],
        }
    }

    /// A location passes a spell.
    #[inline]
    pub(super) fn pass_spell(&mut self, location: usize) {
        self.spells[location] += 1;
    }

    /// A location comes to a mark, where it has spent `more` than another one, and has waited `in_part` as that has.
    ///
    /// # Errors
    /// The temporary file cannot be written.
    #[inline]
    pub(super) fn mark(
        &mut self,
        location: usize,
        mark: Mark,
        more: &[Part],
        in_part: &[WaitsInPart],
        store: &mut Store,
    ) -> io::Result<()> {
        for &part in more {
            self.more.write(location, part, store)?;
        }
        for &waits in in_part {
            self.in_part.write(location, waits, store)?;
        }
        let spells = std::mem::take(&mut self.spells[location]);
        let (more, in_part) = (more.len() as u32, in_part.len() as u32);
        self.marks.write(location, Mark { spells, more, in_part, ..mark }, store)
    }

    /// The ways with these marks. `paths` has the call path of each place of each location.
    pub(super) fn into_ways(self, spells: Spool<Spell>, paths: Vec<Vec<u32>>, store: Store) -> Ways {
        Ways { marks: self.marks, more: self.more, in_part: self.in_part, spells, paths, store }
    }
}

/// The ways of all locations: their marks, and the spells between them.
#[derive(Debug)]
pub(super) struct Ways {
    marks: Spool<Mark>,
    more: Spool<Part>,
    in_part: Spool<WaitsInPart>,
    spells: Spool<Spell>,
    /// For each location the number of the call path of each place.
    paths: Vec<Vec<u32>>,
    store: Store,
}

/// The way of a location, from its end.
#[derive(Debug)]
pub(super) struct WayBack {
    location: usize,
    marks: Backward<Mark>,
    more: Backward<Part>,
    in_part: Backward<WaitsInPart>,
    spells: Backward<Spell>,
    /// The number of spells before the mark that was taken last.
    before: usize,
}

impl WayBack {
    pub(super) fn new(ways: &Ways, location: usize) -> Self {
        WayBack {
            location,
            marks: Backward::new(&ways.marks, location),
            more: Backward::new(&ways.more, location),
            in_part: Backward::new(&ways.in_part, location),
            spells: Backward::new(&ways.spells, location),
            before: 0,
        }
    }

    /// The mark before, which stays where it is; none at the begin.
    ///
    /// # Errors
    /// The temporary file cannot be read.
    #[inline]
    pub(super) fn peek(&mut self, ways: &Ways) -> io::Result<Option<&Mark>> {
        self.marks.peek(&ways.marks, &ways.store)
    }

    /// The mark before, if it has been looked at.
    #[inline]
    pub(super) fn last(&self) -> Option<&Mark> {
        self.marks.last()
    }

    /// Takes the mark before; leaves out spells that are not taken.
    ///
    /// # Errors
    /// As [`WayBack::peek`].
    #[inline]
    pub(super) fn next(&mut self, ways: &Ways) -> io::Result<Option<Mark>> {
        self.spells.skip(self.before, &ways.spells);
        let mark = self.marks.next(&ways.marks, &ways.store)?;
        self.before = mark.map_or(0, |mark| mark.spells as usize);
        Ok(mark)
    }

    /// Takes what the location has spent more at the mark that was taken last.
    ///
    /// # Errors
    /// As [`WayBack::peek`].
    #[inline]
    pub(super) fn more(&mut self, mark: &Mark, ways: &Ways, into: &mut Vec<Part>) -> io::Result<()> {
        into.clear();
        for _ in 0..mark.more {
            into.extend(self.more.next(&ways.more, &ways.store)?);
        }
        Ok(())
    }

    /// Takes the waits that make the location late in part at the mark that was taken last.
    ///
    /// # Errors
    /// As [`WayBack::peek`].
    #[inline]
    pub(super) fn in_part(
        &mut self,
        mark: &Mark,
        ways: &Ways,
        into: &mut Vec<WaitsInPart>,
    ) -> io::Result<()> {
        into.clear();
        for _ in 0..mark.in_part {
            into.extend(self.in_part.next(&ways.in_part, &ways.store)?);
        }
        Ok(())
    }

    /// Takes the spells before the mark that was taken last, as call paths and ticks.
    ///
    /// # Errors
    /// As [`WayBack::peek`].
    pub(super) fn spells(&mut self, ways: &Ways, mut take: impl FnMut(u32, u64)) -> io::Result<()> {
        for _ in 0..std::mem::take(&mut self.before) {
            if let Some(spell) = self.spells.next(&ways.spells, &ways.store)? {
                take(ways.paths[self.location][spell.place as usize], spell.ticks);
            }
        }
        Ok(())
    }
}
