//! What the locations of a process waited for, added up per wait state and place.

use ats_model::{WaitState, event::CommunicatorRef};
use rustc_hash::FxHashMap;

use crate::process::Place;

/// A sum of waits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sum {
    pub(crate) ticks: u64,
    pub(crate) instances: u64,
    /// The communicator, where all instances share one.
    pub(crate) communicator: Option<CommunicatorRef>,
}

impl Sum {
    pub(crate) fn absorb(&mut self, other: Sum) {
        self.ticks = self.ticks.saturating_add(other.ticks);
        self.instances += other.instances;
        if self.communicator != other.communicator {
            self.communicator = None;
        }
    }
}

/// The sums of a process.
#[derive(Debug, Default)]
pub(crate) struct Ledger(FxHashMap<(WaitState, Place), Sum>);

impl Ledger {
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
        let wait = Sum { ticks, instances: 1, communicator };
        self.0.entry((state, place)).and_modify(|sum| sum.absorb(wait)).or_insert(wait);
    }

    /// Every sum, in no order.
    pub(crate) fn sums(&self) -> impl Iterator<Item = (WaitState, Place, Sum)> {
        self.0.iter().map(|(&(state, place), &sum)| (state, place, sum))
    }
}
