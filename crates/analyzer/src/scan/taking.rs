//! Taking the records of a location while it is read, and putting back the rest.

use super::{
    Request, Scan, Scanner,
    open_messages::{Outcome, Outside},
    stops::Stops,
};
use crate::{
    records::{Records, merge::NewNumbers, process::Frontier},
    words::regions::CallKind,
};

/// A collective operation has a request that is not complete; its communicator and end are known if it `is_sure`.
fn open_collective(records: &Records, open: &mut Frontier, requested: u32, is_sure: bool) {
    open.requested.push(requested);
    let part = records.requested[requested as usize].part.filter(|_| !is_sure);
    open.collectives = open.collectives.min(part.unwrap_or(u32::MAX));
}

impl Scanner<'_> {
    /// Takes the records of MPI out, until they are put back; also returns the frontier of those under way. Calls that
    /// are not left end after all others.
    pub(crate) fn take_records(&mut self) -> (Records, Frontier) {
        let mut records = std::mem::take(&mut self.scan.records);
        let since = self.in_calls.first_begin();
        let mut open = Frontier { since, ..Frontier::default() };
        for frame in &self.stack {
            if frame.traits.is_mpi {
                open.since = open.since.min(frame.enter);
            }
            if let Some(call) = frame.call {
                records.calls[call as usize].leave = u64::MAX;
                open.calls.push(call);
                open.first = open.first.min(call);
            }
        }
        open.calls.extend(&self.messages.unacted);
        if let Some(Outside { first, time, .. }) = self.messages.outside {
            open.calls.extend(first..records.calls.len() as u32);
            open.first = open.first.min(first);
            open.since = open.since.min(time);
        }
        for pending in self.messages.requests.values() {
            let call = pending.request.start(&records);
            open.calls.push(call);
            match pending.request {
                Request::Send(send) => open.sends.push(send),
                Request::Collective(requested) => {
                    open_collective(&records, &mut open, requested, pending.is_sure);
                    // What message it is in the way of is none of its.
                    continue;
                }
                Request::Receive(_) | Request::Foreseen(_) => {}
            }
            if !pending.is_sure {
                open.since = open.since.min(records.calls[call as usize].enter);
                open.first = open.first.min(call);
            }
        }
        for end in &self.messages.handed {
            match end.outcome {
                Outcome::Sent { call } => open.calls.push(call),
                Outcome::Collective(requested) => open_collective(&records, &mut open, requested, false),
                Outcome::Received(_) | Outcome::Cancelled => {}
            }
        }
        (records, open)
    }

    /// Calls a function for the stops of records that are not judged: with location and number.
    pub(crate) fn each_open_stop(&self, mut each: impl FnMut(u32, u32)) {
        let Scan { records, threads, .. } = &self.scan;
        records.calls.iter().for_each(|call| each(call.place.location, call.stop));
        records.collectives.iter().for_each(|part| each(part.place.location, part.stop));
        // `MPI_Init` is judged at the end; nothing waits for that.
        let finalize = records.spans.iter().filter(|span| span.kind == CallKind::Finalize);
        finalize.for_each(|span| each(span.place.location, span.stop));
        let location = self.location as u32;
        threads.barriers.iter().for_each(|barrier| each(location, barrier.stop));
        let joins = threads.forks.iter().filter_map(|fork| fork.stop);
        let holds = threads.holds.iter().filter_map(|hold| hold.stop);
        joins.chain(holds).for_each(|stop| each(location, stop));
        let not_met = threads.memberships.iter().filter(|membership| !membership.has_met);
        not_met.filter_map(|membership| membership.parallel).for_each(|it| each(location, it.stop));
    }

    /// The stops that are not on a tape yet.
    pub(crate) fn stops_mut(&mut self) -> Option<&mut Stops> {
        self.scan.stops.as_mut()
    }

    /// Puts back the rest of the records, and renumbers those under way.
    pub(crate) fn put_back(&mut self, records: Records, numbers: &NewNumbers) {
        self.scan.records = records;
        for call in self.stack.iter_mut().filter_map(|frame| frame.call.as_mut()) {
            *call = numbers.number(|numbers| &numbers.calls, *call);
        }
        for call in &mut self.messages.unacted {
            *call = numbers.number(|numbers| &numbers.calls, *call);
        }
        if let Some(Outside { first, .. }) = &mut self.messages.outside {
            *first = numbers.number(|numbers| &numbers.calls, *first);
        }
        for pending in self.messages.requests.values_mut() {
            match &mut pending.request {
                Request::Send(send) => *send = numbers.number(|numbers| &numbers.sends, *send),
                Request::Receive(call) => *call = numbers.number(|numbers| &numbers.calls, *call),
                Request::Foreseen(receive) => {
                    *receive = numbers.number(|numbers| &numbers.receives, *receive)
                }
                Request::Collective(requested) => {
                    *requested = numbers.number(|numbers| &numbers.requested, *requested);
                }
            }
        }
        for end in &mut self.messages.handed {
            match &mut end.outcome {
                Outcome::Sent { call } => *call = numbers.number(|numbers| &numbers.calls, *call),
                Outcome::Received(receive) => {
                    *receive = numbers.number(|numbers| &numbers.receives, *receive)
                }
                Outcome::Collective(requested) => {
                    *requested = numbers.number(|numbers| &numbers.requested, *requested);
                }
                Outcome::Cancelled => {}
            }
        }
    }
}
