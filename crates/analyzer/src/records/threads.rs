//! The records of a location's part in OpenMP that pass 1 keeps: its teams, barriers and locks, flat and in order.
//!
//! They are not columns of [`super::Records`]: they stay with their location, so they need nothing that columns are for
//! (threads merged into a process and split again, order, groups, corrected times). The only common need is to lose the
//! records that are over: [`super::retain`].

use std::ops::AddAssign;

use ats_model::event::TeamRef;

use crate::words::{
    place::{Base, Place},
    regions::ConstructKind,
    sums::Sums,
};

/// The OpenMP records of a location.
#[derive(Debug, Default)]
pub(crate) struct Threads {
    pub(crate) forks: Vec<Fork>,
    /// The memberships, in the order of their begins.
    pub(crate) memberships: Vec<Membership>,
    /// The barriers, in order.
    pub(crate) barriers: Vec<Barrier>,
    /// The holds, in the order of their acquisitions.
    pub(crate) holds: Vec<Hold>,
    /// Releases by a location that does not hold the lock.
    pub(crate) foreign_releases: Vec<Release>,
    /// The time of the main thread of several outside parallel regions, by call path.
    pub(crate) serial: Sums<Serial>,
    /// Whether the location does anything outside the teams that others start.
    pub(crate) has_root: bool,
}

/// Time outside parallel regions, of any number of stretches without a break.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Serial {
    pub(crate) ticks: u64,
    pub(crate) stretches: u64,
}

impl AddAssign for Serial {
    fn add_assign(&mut self, more: Self) {
        self.ticks = self.ticks.saturating_add(more.ticks);
        self.stretches += more.stretches;
    }
}

impl Threads {
    /// Whether the location takes part in OpenMP.
    pub(crate) fn has_teams(&self) -> bool {
        !self.forks.is_empty() || !self.memberships.is_empty()
    }

    pub(crate) fn is_empty(&self) -> bool {
        !self.has_teams() && self.holds.is_empty() && self.foreign_releases.is_empty()
    }

    /// The number of records of all kinds.
    pub(crate) fn count(&self) -> usize {
        self.forks.len()
            + self.memberships.len()
            + self.barriers.len()
            + self.holds.len()
            + self.foreign_releases.len()
    }

    /// Every place in the records.
    pub(crate) fn places_mut(&mut self) -> impl Iterator<Item = &mut Place> {
        let forks = self.forks.iter_mut().map(|fork| &mut fork.place);
        let memberships = self.memberships.iter_mut().flat_map(|membership| {
            let parallel = membership.parallel.as_mut().map(|parallel| &mut parallel.place);
            std::iter::once(&mut membership.place).chain(parallel)
        });
        let barriers = self.barriers.iter_mut().map(|barrier| &mut barrier.place);
        let holds = self.holds.iter_mut().map(|hold| &mut hold.place);
        forks.chain(memberships).chain(barriers).chain(holds)
    }
}

/// The progress of the threads of a process in reading.
#[derive(Debug)]
pub(crate) struct Progress {
    /// The constructs under way on each.
    pub(crate) open: Vec<UnderWay>,
    /// The end of the part known of all threads, in ticks.
    pub(crate) until: u64,
    /// Whether all is known.
    pub(crate) is_end: bool,
}

impl Progress {
    /// The progress of threads that are fully known.
    pub(crate) fn end(threads: usize) -> Self {
        Progress { open: vec![UnderWay::default(); threads], until: u64::MAX, is_end: true }
    }
}

/// The constructs under way on a thread: indices into its [`Threads`].
#[derive(Clone, Debug, Default)]
pub(crate) struct UnderWay {
    pub(crate) forks: Vec<u32>,
    /// The memberships that are not ended, or whose parallel region is not left.
    pub(crate) memberships: Vec<u32>,
    pub(crate) barriers: Vec<u32>,
    pub(crate) holds: Vec<u32>,
}

/// The new numbers of a thread's records when those that are over are forgotten.
#[derive(Debug, Default)]
pub(crate) struct Renumbering {
    /// The bases of paths, by membership.
    pub(crate) bases: Vec<Base>,
    pub(crate) forks: Vec<u32>,
    pub(crate) memberships: Vec<u32>,
    pub(crate) barriers: Vec<u32>,
    pub(crate) holds: Vec<u32>,
}

/// A location starts a team.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fork {
    pub(crate) time: u64,
    pub(crate) join: Option<u64>,
    pub(crate) place: Place,
    /// The number of the stop at its join, if there is one.
    pub(crate) stop: Option<u32>,
}

/// A location's part in an instance of a team.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Membership {
    pub(crate) team: TeamRef,
    pub(crate) begin: u64,
    pub(crate) end: Option<u64>,
    /// Whether the location is the one that started the team.
    pub(crate) is_master: bool,
    /// Its fork: index into [`Threads::forks`].
    pub(crate) fork: Option<u32>,
    /// The membership around it: index into [`Threads::memberships`].
    pub(crate) outer: Option<u32>,
    /// The place of its begin.
    pub(crate) place: Place,
    pub(crate) parallel: Option<Parallel>,
    /// Whether it is known that all members have entered the parallel region.
    pub(crate) has_met: bool,
    /// The number of barriers it has entered.
    pub(crate) barriers: u32,
}

/// A location's part in a parallel region.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Parallel {
    pub(crate) enter: u64,
    /// The time of the leave; `None` if the trace ends before.
    pub(crate) leave: Option<u64>,
    pub(crate) place: Place,
    /// The number of its stop.
    pub(crate) stop: u32,
}

/// A location's part in a barrier of a team.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Barrier {
    /// Index into [`Threads::memberships`].
    pub(crate) membership: u32,
    /// Counts the barriers of the membership.
    pub(crate) number: u32,
    pub(crate) is_explicit: bool,
    pub(crate) enter: u64,
    /// Ticks that tasks were executed for inside.
    pub(crate) in_tasks: u64,
    pub(crate) place: Place,
    /// The number of its stop.
    pub(crate) stop: u32,
}

/// A location has a lock, from its first acquisition until it has given it back as often.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hold {
    pub(crate) lock: u32,
    pub(crate) order: u32,
    /// Entry into the region that acquires it.
    pub(crate) enter: u64,
    pub(crate) acquired: u64,
    pub(crate) released: Option<u64>,
    pub(crate) construct: ConstructKind,
    pub(crate) place: Place,
    /// The number of its stop, if there is one.
    pub(crate) stop: Option<u32>,
    /// The number of the stop at its release, if there is one.
    pub(crate) release: Option<u32>,
}

/// A lock is given back.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Release {
    pub(crate) lock: u32,
    pub(crate) order: u32,
    pub(crate) time: u64,
    /// The number of its stop, if there is one.
    pub(crate) stop: Option<u32>,
}
