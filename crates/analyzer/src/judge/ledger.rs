//! The waits of the locations of a process, added up per wait state and place.

use ats_model::{WaitState, event::CommunicatorRef};
use rustc_hash::FxHashMap;

use crate::{
    judge::{flights::Flights, points::Points, waits::SingleWaits},
    records::InnerCalls,
    words::place::{BasesByLocation, Place},
};

/// A sum of waits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sum {
    pub(crate) ticks: u64,
    pub(crate) instances: u64,
    /// Those for messages without contents.
    pub(crate) of_empty: u64,
    /// The communicator, if all instances share one.
    pub(crate) communicator: Option<CommunicatorRef>,
}

impl Sum {
    pub(crate) fn absorb(&mut self, other: Sum) {
        self.ticks = self.ticks.saturating_add(other.ticks);
        self.instances += other.instances;
        self.of_empty += other.of_empty;
        if self.communicator != other.communicator {
            self.communicator = None;
        }
    }
}

/// The message that a call waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct WaitedFor {
    pub(crate) communicator: Option<CommunicatorRef>,
    /// Whether it has no contents.
    pub(crate) is_empty: bool,
}

/// The details that ledgers begin with.
#[derive(Clone, Debug, Default)]
pub(crate) struct Details {
    pub(crate) waits: SingleWaits,
    pub(crate) points: Points,
    pub(crate) flights: Flights,
}

/// The sums of a process, and its single waits if the caller asks for them.
#[derive(Debug, Default)]
pub(crate) struct Ledger {
    sums: FxHashMap<(WaitState, Place), Sum>,
    pub(crate) waits: SingleWaits,
    /// The sync points that are not on a tape yet.
    pub(crate) points: Points,
    pub(crate) flights: Flights,
    /// The calls inside of others, while their process is judged.
    pub(crate) inner: InnerCalls,
}

impl Ledger {
    /// An empty one that keeps the details that are asked for.
    pub(crate) fn keeping(details: Details) -> Self {
        let Details { waits, points, flights } = details;
        Ledger { waits, points, flights, ..Ledger::default() }
    }

    /// Adds one wait that begins at `begin`, and the location that it waits for.
    pub(crate) fn add_from(
        &mut self,
        (begin, awaited): (u64, Option<u32>),
        state: WaitState,
        place: Place,
        ticks: u64,
        communicator: Option<CommunicatorRef>,
    ) {
        self.waits.keep(state, place, (begin, begin.saturating_add(ticks)), awaited);
        self.add(state, place, ticks, communicator);
    }

    /// The same for a message, which may be empty.
    pub(crate) fn add_message(
        &mut self,
        from: (u64, Option<u32>),
        state: WaitState,
        place: Place,
        ticks: u64,
        message: WaitedFor,
    ) {
        let WaitedFor { communicator, is_empty } = message;
        self.add_from(from, state, place, ticks, communicator);
        if is_empty && let Some(sum) = self.sums.get_mut(&(state, place)) {
            sum.of_empty += u64::from(ticks > 0);
        }
    }

    /// Adds one wait; nothing for one of no ticks.
    pub(crate) fn add(
        &mut self,
        state: WaitState,
        place: Place,
        ticks: u64,
        communicator: Option<CommunicatorRef>,
    ) {
        if ticks == 0 {
            return;
        }
        self.add_sum(state, place, Sum { ticks, instances: 1, of_empty: 0, communicator });
    }

    /// Adds some waits.
    pub(crate) fn add_sum(&mut self, state: WaitState, place: Place, waits: Sum) {
        self.sums.entry((state, place)).and_modify(|sum| sum.absorb(waits)).or_insert(waits);
    }

    /// Forgets the sums that are not to be kept.
    pub(crate) fn retain(&mut self, is_kept: impl Fn(WaitState, Place) -> bool) {
        self.sums.retain(|&(state, place), _| is_kept(state, place));
    }

    /// Gives places the bases that are known by now.
    pub(crate) fn renumber(&mut self, known: &BasesByLocation) {
        let is_open = |place: &Place| place.base.membership().is_some();
        let open: Vec<_> = self.sums.extract_if(|(_, place), _| is_open(place)).collect();
        for ((state, mut place), sum) in open {
            place.renumber(known);
            self.sums.entry((state, place)).and_modify(|before| before.absorb(sum)).or_insert(sum);
        }
        self.waits.renumber(known);
        self.flights.renumber(known);
    }

    /// Every sum, in no order.
    pub(crate) fn sums(&self) -> impl Iterator<Item = (WaitState, Place, Sum)> {
        self.sums.iter().map(|(&(state, place), &sum)| (state, place, sum))
    }
}
