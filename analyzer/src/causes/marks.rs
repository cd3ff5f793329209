//! The marks on the locations' ways: what the way forward finds, and the way backward needs.

use std::{io, path::Path};

use zerocopy::{FromBytes, Immutable, IntoBytes};

use super::{
    spool::{Backward, Spool},
    sums::Position,
};

/// A mark on the way of a location.
#[derive(Clone, Copy, Debug, FromBytes, IntoBytes, Immutable)]
#[repr(C)]
pub(super) struct Mark {
    /// The location's entry into the call of the mark, by the common clock.
    pub(super) time: u64,
    pub(super) at: Position,
    pub(super) kind: MarkKind,
    /// The column of the wait's finding, or [`Mark::NO_COLUMN`].
    pub(super) column: u16,
    /// The column of the finding of its process's idle threads meanwhile, or [`Mark::NO_COLUMN`].
    pub(super) idle: u16,
    /// The ticks of the wait; of a causing, those that the location has waited since it met the one that waits.
    pub(super) waited: u64,
    /// Of a causing, the location that waits; else the one that the critical path continues on, or
    /// [`Mark::NOWHERE`].
    pub(super) other: u32,
    /// The call path of the wait.
    pub(super) path: u32,
    /// The point of the other one; of threads that were left out, their ticks together.
    pub(super) other_at: Position,
    /// Of a causing, the point since which the location has spent more; of a wait, the ticks that another order of
    /// receives would have saved.
    pub(super) since: Position,
    /// The number of parts that are the time since the mark before.
    pub(super) spells: u32,
    /// Of a causing, the number of parts that the location has spent more than the one that waits.
    pub(super) more: u32,
}

/// The kind of a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, FromBytes, IntoBytes, Immutable)]
#[repr(transparent)]
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
    /// The location has had a team without all threads.
    pub(super) const LEFT_OUT: MarkKind = MarkKind(5);
}

impl Mark {
    pub(super) const NO_COLUMN: u16 = u16::MAX;
    pub(super) const NOWHERE: u32 = u32::MAX;

    /// A mark of a kind at a point.
    pub(super) fn new(kind: MarkKind, time: u64, at: Position) -> Self {
        let (column, idle, other) = (Mark::NO_COLUMN, Mark::NO_COLUMN, Mark::NOWHERE);
        let (waited, path, other_at, since, spells, more) = (0, 0, 0, 0, 0, 0);
        Mark { time, at, kind, column, idle, waited, other, path, other_at, since, spells, more }
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

/// Ticks in a call path.
#[derive(Clone, Copy, Debug, Default, FromBytes, IntoBytes, Immutable)]
#[repr(C)]
pub(super) struct Part {
    /// The number of the call path.
    pub(super) path: u64,
    pub(super) ticks: u64,
}

/// The marks of all locations.
#[derive(Debug)]
pub(super) struct Marks {
    marks: Spool<Mark>,
    parts: Spool<Part>,
    /// For each location the number of spells since its last mark.
    spells: Vec<u32>,
}

impl Marks {
    /// No marks; temporary files are in `folder`.
    pub(super) fn new(locations: usize, folder: &Path) -> Self {
        Marks {
            marks: Spool::new(locations, Some(folder)),
            parts: Spool::new(locations, Some(folder)),
            spells: vec![0; locations],
        }
    }

    /// A location spends time in a call path.
    ///
    /// # Errors
    /// A temporary file cannot be written.
    #[inline]
    pub(super) fn spell(&mut self, location: usize, path: u32, ticks: u64) -> io::Result<()> {
        self.spells[location] += 1;
        self.parts.write(location, Part { path: path.into(), ticks })
    }

    /// A location comes to a mark, where it has spent `more` than another one.
    ///
    /// # Errors
    /// As [`Marks::spell`].
    #[inline]
    pub(super) fn mark(&mut self, location: usize, mark: Mark, more: &[Part]) -> io::Result<()> {
        for &part in more {
            self.parts.write(location, part)?;
        }
        let spells = std::mem::take(&mut self.spells[location]);
        self.marks.write(location, Mark { spells, more: more.len() as u32, ..mark })
    }
}

/// The marks of a location, from its end.
#[derive(Debug)]
pub(super) struct MarksBackward {
    marks: Backward<Mark>,
    parts: Backward<Part>,
    /// The number of spells before the mark that was taken last.
    spells: usize,
}

impl MarksBackward {
    pub(super) fn new(marks: &Marks, location: usize) -> Self {
        MarksBackward {
            marks: Backward::new(&marks.marks, location),
            parts: Backward::new(&marks.parts, location),
            spells: 0,
        }
    }

    /// The mark before, which stays where it is; none at the begin.
    ///
    /// # Errors
    /// A temporary file cannot be read.
    #[inline]
    pub(super) fn peek(&mut self, marks: &mut Marks) -> io::Result<Option<&Mark>> {
        self.marks.peek(&mut marks.marks)
    }

    /// The mark before, if it has been looked at.
    #[inline]
    pub(super) fn last(&self) -> Option<&Mark> {
        self.marks.last()
    }

    /// Takes the mark before and what the location has spent more there; leaves out spells that are not taken.
    ///
    /// # Errors
    /// As [`MarksBackward::peek`].
    #[inline]
    pub(super) fn next(&mut self, marks: &mut Marks, more: &mut Vec<Part>) -> io::Result<Option<Mark>> {
        self.parts.skip(self.spells, &mut marks.parts)?;
        self.spells = 0;
        let Some(mark) = self.marks.next(&mut marks.marks)? else { return Ok(None) };
        self.spells = mark.spells as usize;
        more.clear();
        for _ in 0..mark.more {
            more.extend(self.parts.next(&mut marks.parts)?);
        }
        Ok(Some(mark))
    }

    /// Takes the spells before the mark that was taken last.
    ///
    /// # Errors
    /// As [`MarksBackward::peek`].
    pub(super) fn spells(&mut self, marks: &mut Marks, mut take: impl FnMut(Part)) -> io::Result<()> {
        for _ in 0..std::mem::take(&mut self.spells) {
            self.parts.next(&mut marks.parts)?.into_iter().for_each(&mut take);
        }
        Ok(())
    }
}
