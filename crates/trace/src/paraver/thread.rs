//! Calls and constructs of a thread, from the events of its regions.

use ats_model::Event;
use ats_model::event::{CollectiveOperation, CommunicatorRef, RegionRef};
use rustc_hash::FxHashMap;

use super::regions::Known;

/// A call of MPI.
pub(super) struct Call {
    pub(super) known: Known,
    pub(super) enter: u64,
    pub(super) leave: u64,
    /// The index of its entry in the thread's events.
    pub(super) begin: usize,
    /// The index of its exit; behind the last event if it is not left.
    pub(super) end: usize,
}

/// Data recorded beside the beginning of a collective operation.
#[derive(Clone, Copy, Default)]
pub(super) struct Collective {
    pub(super) sent: u64,
    pub(super) received: u64,
    /// The communicator's number in the trace.
    pub(super) communicator: Option<u64>,
    pub(super) is_root: bool,
}

/// A collective operation of a thread.
pub(super) struct Took {
    /// The index of its end in the thread's events.
    pub(super) at: usize,
    pub(super) communicator: CommunicatorRef,
    /// The number of operations that the process had on this communicator before.
    pub(super) number: u64,
}

/// A region that is not left.
struct Open {
    region: RegionRef,
    /// Index into the calls.
    call: Option<usize>,
    /// The event at its end, with the number of [`Took`].
    collective: Option<(Event, u64)>,
}

/// A thread, with its calls and constructs.
#[derive(Default)]
pub(super) struct Thread {
    pub(super) events: Vec<(u64, Event)>,
    /// The calls, in the order of entry.
    pub(super) calls: Vec<Call>,
    pub(super) collectives: Vec<Took>,
    /// By the type of their events, the innermost last: ends do not name their region.
    open: FxHashMap<u32, Vec<Open>>,
    /// When its last state ends.
    pub(super) state_until: u64,
}

impl Thread {
    /// Enters a region.
    pub(super) fn enter(&mut self, time: u64, known: Known) {
        let Known { kind, region, .. } = known;
        let call = known.is_mpi.then_some(self.calls.len());
        if known.is_mpi {
            let begin = self.events.len();
            self.calls.push(Call { known, enter: time, leave: u64::MAX, begin, end: usize::MAX });
        }
        self.events.push((time, Event::Enter { region }));
        self.open.entry(kind).or_default().push(Open { region, call, collective: None });
    }

    /// The region that was entered last by an event of such a type is a collective operation.
    pub(super) fn begin_collective(
        &mut self,
        time: u64,
        kind: u32,
        operation: CollectiveOperation,
        communicator: CommunicatorRef,
        number: u64,
        beside: Collective,
    ) {
        let Some(open) = self.open.get_mut(&kind).and_then(|open| open.last_mut()) else { return };
        let Collective { sent, received, .. } = beside;
        let end = Event::MpiCollectiveEnd { operation, communicator, root: None, sent, received };
        open.collective = Some((end, number));
        self.events.push((time, Event::MpiCollectiveBegin));
    }

    /// Leaves the innermost region that was entered by an event of such a type; tells whether there is one.
    pub(super) fn leave(&mut self, time: u64, kind: u32) -> bool {
        let Some(open) = self.open.get_mut(&kind).and_then(Vec::pop) else { return false };
        if let Some((event, number)) = open.collective
            && let Event::MpiCollectiveEnd { communicator, .. } = event
        {
            self.collectives.push(Took { at: self.events.len(), communicator, number });
            self.events.push((time, event));
        }
        if let Some(call) = open.call.and_then(|call| self.calls.get_mut(call)) {
            (call.leave, call.end) = (time, self.events.len());
        }
        self.events.push((time, Event::Leave { region: open.region }));
        true
    }

    /// The call that contains something that begins with it: the last one that was entered by then.
    pub(super) fn call_begun(&self, time: u64) -> Option<&Call> {
        let number = self.calls.partition_point(|call| call.enter <= time).checked_sub(1)?;
        Some(&self.calls[number]).filter(|call| time <= call.leave)
    }

    /// The call that contains something that ends with it: the first one that is not left before.
    pub(super) fn call_ending(&self, time: u64) -> Option<&Call> {
        let call = self.calls.get(self.calls.partition_point(|call| call.leave < time))?;
        (call.enter <= time).then_some(call)
    }
}
