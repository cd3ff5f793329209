//! Results of pass 1 for a location.

use std::collections::BTreeMap;

use ats_model::{Traffic, delay::Extent};

use super::{
    machine::Counters,
    paths::{Paths, continued},
    recorder::{Marks, Recorder},
    repeated::Repeated,
    spent::Spent,
    stops::Stops,
    unfollowed::CallTime,
};
use crate::{
    records::{Records, threads::Threads},
    words::{
        damage::Damages,
        place::{Base, Place},
        sums::Sums,
    },
};

/// The parts of the results that callers may do without.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Wants {
    /// Whether the profile is kept.
    pub(crate) profile: bool,
    /// The waits whose causes are asked for: their source, the stops, is kept.
    pub(crate) causes: Option<Extent>,
    /// Whether events are counted by their time.
    pub(crate) marks: bool,
    /// Whether messages are compared.
    pub(crate) messages: bool,
}

/// The results of pass 1 for a location.
#[derive(Debug, Default)]
pub(crate) struct Scan {
    pub(crate) paths: Paths,
    pub(crate) events: u64,
    /// The first and the last time stamp; none without events.
    pub(crate) time: Option<(u64, u64)>,
    /// Whether it leaves `MPI_Init` outside parallel regions.
    pub(crate) leaves_init: bool,
    /// Whether it does nothing but take part in teams of its process's main thread, and is there as long as that.
    pub(crate) is_worker: bool,
    /// Whether only its first events could be read.
    pub(crate) is_cut: bool,
    /// First entry into the region of the basis and last exit from it.
    pub(crate) in_basis: Option<(u64, u64)>,
    pub(crate) records: Records,
    pub(crate) threads: Threads,
    /// The number of visits to regions that are counted.
    pub(crate) visits: Sums<u64>,
    /// The data that its calls of MPI move.
    pub(crate) traffic: Sums<Traffic>,
    /// The numbers of its waits for messages, by metric; known at the end, if there is a profile.
    pub(crate) instances: BTreeMap<&'static str, Sums<u64>>,
    /// Calls of MPI with unknown causes of waits.
    pub(crate) unfollowed: Sums<CallTime>,
    /// The profile; `None` if the caller does not ask for it.
    pub(crate) spent: Option<Spent>,
    /// The stops that are not on a tape yet; `None` if the caller does not ask for causes.
    pub(crate) stops: Option<Stops>,
    pub(crate) recorder: Recorder,
    /// The messages that it sends one after the other; `None` if the caller does not ask for them.
    pub(crate) repeated: Option<Repeated>,
    /// The work of the machine for it; `None` if that was not sampled.
    pub(crate) counters: Option<Counters>,
    pub(crate) damages: Damages,
}

/// Whether a place is not between `MPI_Init` and `MPI_Finalize`, as far as its location, or the one that started its
/// team, has them.
pub(crate) fn is_outside(scans: &[Scan], place: Place) -> bool {
    is_outside_of(|location| &scans[location as usize].paths, |location| scans[location].leaves_init, place)
}

/// The same by the call paths of the locations, and whether each `leaves_init`.
pub(crate) fn is_outside_of<'p>(
    paths: impl Fn(u32) -> &'p Paths,
    leaves_init: impl Fn(usize) -> bool,
    place: Place,
) -> bool {
    let Some(Place { location, base, .. }) = continued(paths, place).last() else { return false };
    base == Base::AFTER_FINALIZE || base == Base::BEFORE_INIT && leaves_init(location as usize)
}

impl Scan {
    /// No results yet.
    pub(crate) fn new(wants: Wants) -> Self {
        Scan {
            spent: wants.profile.then(Spent::default),
            stops: wants.causes.map(Stops::new),
            repeated: wants.messages.then(Repeated::default),
            recorder: Recorder { marks: wants.marks.then(Marks::new), ..Recorder::default() },
            ..Scan::default()
        }
    }

    /// Gives the places of the location the bases that are known by now.
    pub(crate) fn renumber(&mut self, bases: &[Base]) {
        self.visits.renumber(bases);
        self.traffic.renumber(bases);
        self.unfollowed.renumber(bases);
        self.spent.iter_mut().for_each(|spent| spent.renumber(bases));
        self.stops.iter_mut().for_each(|stops| stops.renumber(bases));
        self.records.each_place(|place| place.base = place.base.renumbered(bases));
    }

    /// Takes as little room as it can, when the location is read.
    pub(crate) fn pack(&mut self) {
        self.visits.pack();
        self.traffic.pack();
        self.unfollowed.pack();
        self.spent.iter_mut().for_each(Spent::pack);
    }

    /// Brings the times that are kept of the location itself to another clock.
    pub(crate) fn retime(&mut self, clock: impl Fn(u64) -> u64) {
        for (first, last) in self.time.iter_mut().chain(&mut self.in_basis) {
            (*first, *last) = (clock(*first), clock(*last));
        }
    }
}
