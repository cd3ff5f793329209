//! The stops of a location: its visits of regions in which it may meet others, and its time in call paths between them.

use ats_model::{CallPathId, delay::Extent};

use crate::words::place::Base;

/// A visit of a region in which a location may meet others: an MPI call, a parallel region from its fork on, a barrier,
/// a lock, a join.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stop {
    pub(crate) enter: u64,
    /// [`u64::MAX`] as long as it is not left.
    pub(crate) leave: u64,
    pub(crate) base: Base,
    pub(crate) path: CallPathId,
    /// Whether the main thread of several is outside parallel regions.
    pub(crate) is_serial: bool,
    pub(crate) role: Role,
    /// The number of spells before its begin, of those that are kept.
    spells: usize,
}

/// The meaning of a stop for the order of reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// Any other, which has to be left before it is known.
    Call,
    /// The first parallel region of a location's part in a team, which is met in as soon as it is entered.
    Fork,
    /// An instant: the entry into a construct that waits for a lock, the release of a lock, a join.
    Instant,
}

/// Time in a call path alone between two stops, in ticks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Spell {
    pub(crate) base: Base,
    pub(crate) path: CallPathId,
    pub(crate) is_serial: bool,
    pub(crate) ticks: u64,
}

/// The stops of a location that are not on its tape yet, and the time between them.
#[derive(Debug, Default)]
pub(crate) struct Stops {
    /// Whether there are stops at locks and joins, for waits that Scalasca does not analyze.
    pub(super) is_beyond: bool,
    stops: Vec<Stop>,
    /// The number of stops that are on the tape.
    taken: u32,
    spells: Vec<Spell>,
    /// The call path where its time passes; none outside all regions and teams.
    pub(super) at: Option<(Base, CallPathId)>,
    pub(super) is_serial: bool,
    /// Spells are complete up to this time.
    pub(super) since: u64,
    /// The last fork, until the parallel region is entered: that counts from there.
    pub(super) fork: Option<u64>,
    /// The first spell of those that may grow.
    growing: usize,
    /// By call path, the round in which its spell was begun, and its number in that round.
    by_path: Vec<(u32, u32)>,
    round: u32,
}

impl Stops {
    /// No stops yet; the waits of an extent can be at them.
    pub(crate) fn new(extent: Extent) -> Self {
        Stops { is_beyond: extent == Extent::All, round: 1, ..Stops::default() }
    }

    /// Adds the time up to `time` to the call path where it passes.
    #[inline]
    pub(super) fn spend(&mut self, time: u64) {
        let ticks = time.saturating_sub(self.since);
        self.since = time;
        let Some((base, path)) = self.at.filter(|_| ticks > 0) else { return };
        let at = path.0 as usize;
        if at >= self.by_path.len() {
            self.by_path.resize(at + 1, (0, 0));
        }
        let (round, number) = self.by_path[at];
        if round == self.round {
            let spell = &mut self.spells[self.growing + number as usize];
            spell.ticks = spell.ticks.saturating_add(ticks);
        } else {
            self.by_path[at] = (self.round, (self.spells.len() - self.growing) as u32);
            self.spells.push(Spell { base, path, is_serial: self.is_serial, ticks });
        }
    }

    /// From here on no spell grows that has begun before.
    fn next_round(&mut self) {
        self.growing = self.spells.len();
        self.round = self.round.wrapping_add(1);
        if self.round == 0 {
            self.by_path.clear();
            self.round = 1;
        }
    }

    /// Time passes elsewhere from now on.
    pub(super) fn go(&mut self, at: Option<(Base, CallPathId)>, is_serial: bool) {
        let base = |at: Option<(Base, CallPathId)>| at.map(|(base, _)| base);
        if base(at) != base(self.at) || is_serial != self.is_serial {
            self.next_round();
        }
        (self.at, self.is_serial) = (at, is_serial);
    }

    pub(super) fn stop(&mut self, enter: u64, base: Base, path: CallPathId, role: Role) -> u32 {
        self.next_round();
        let (is_serial, spells) = (self.is_serial, self.spells.len());
        self.stops.push(Stop { enter, leave: u64::MAX, base, path, is_serial, role, spells });
        self.taken + self.stops.len() as u32 - 1
    }

    pub(super) fn leave(&mut self, stop: u32, time: u64) {
        if let Some(stop) = stop.checked_sub(self.taken).and_then(|at| self.stops.get_mut(at as usize)) {
            stop.leave = time;
        }
    }

    /// The number of records that it has in memory.
    pub(crate) fn count(&self) -> usize {
        self.stops.len() + self.spells.len()
    }

    /// Gives the places the bases that are known by now.
    pub(crate) fn renumber(&mut self, bases: &[Base]) {
        self.stops.iter_mut().for_each(|stop| stop.base = stop.base.renumbered(bases));
        self.spells.iter_mut().for_each(|spell| spell.base = spell.base.renumbered(bases));
        if let Some((base, _)) = &mut self.at {
            *base = base.renumbered(bases);
        }
        // A base that is known now is another one than before.
        self.next_round();
    }

    /// Takes the stops out that are known, each with the spells before it; at the `end` all, and the spells after them.
    ///
    /// # Errors
    /// Those of `taken`.
    pub(crate) fn take<E>(
        &mut self,
        is_end: bool,
        mut taken: impl FnMut(Option<Stop>, &[Spell]) -> Result<(), E>,
    ) -> Result<(), E> {
        let is_open = |stop: &Stop| stop.role == Role::Call && stop.leave == u64::MAX;
        let is_unknown = |base: Base| base.membership().is_some();
        let mut first = 0;
        let mut known = 0;
        for stop in &self.stops {
            let spells = &self.spells[first..stop.spells];
            let waits = is_open(stop) || is_unknown(stop.base);
            if !is_end && (waits || spells.iter().any(|spell| is_unknown(spell.base))) {
                break;
            }
            taken(Some(*stop), spells)?;
            (first, known) = (stop.spells, known + 1);
        }
        if is_end {
            taken(None, &self.spells[first..])?;
            first = self.spells.len();
        }
        self.stops.drain(..known);
        self.spells.drain(..first);
        self.taken += known as u32;
        self.stops.iter_mut().for_each(|stop| stop.spells -= first);
        self.growing = self.growing.saturating_sub(first);
        if is_end {
            self.next_round();
        }
        Ok(())
    }
}
