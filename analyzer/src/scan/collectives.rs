//! The part of pass 1 that follows collective operations, blocking ones and those with requests.
//!
//! The operations on a communicator count in the order of their starts, but the record of a start does not name the
//! communicator. So an operation with a request has a place among all operations of the location from its start on, and
//! gets its communicator when it is complete, or foreseen.

use ats_model::{Traffic, event::CollectiveOperation, event::Root, mpi};

use super::{
    Scanner,
    foresight::Ended,
    open_messages::{Outcome, Request},
    stops::NO_STOP,
};
use crate::{
    records::{Collective, Message, Requested},
    words::{
        damage::Damage,
        flow::{Flow, flow, is_analyzed},
        place::Place,
        regions::CallKind,
    },
};

impl Scanner<'_> {
    /// A blocking operation is over.
    pub(super) fn collective(&mut self, ended: Ended) {
        self.count_collective(&ended);
        let begin = self.collective_begin.take();
        let Some(&frame) = self.innermost() else {
            self.damage(Damage::RecordOutsideCall, ended.time);
            return;
        };
        let is_start_or_end = matches!(frame.traits.call, CallKind::Init | CallKind::Finalize);
        if is_start_or_end || !is_analyzed(ended.operation) {
            return;
        }
        // Other calls make handles, too, of files or among some of the members.
        if flow(ended.operation) == Some(Flow::Management) && !frame.traits.is_management {
            return;
        }
        self.mark_recorded();
        if begin.is_none() {
            self.damage(Damage::CollectiveWithoutBegin, ended.time);
        }
        let collectives = &mut self.scan.records.collectives;
        let communicator = Some(collectives.groups.number(ended.communicator));
        collectives.push(Collective {
            begin: begin.unwrap_or(if frame.traits.is_mpi { frame.enter } else { ended.time }),
            end: ended.time,
            place: Place { location: self.location as u32, path: frame.path, base: self.open.base },
            communicator,
            root: ended.root,
            operation: ended.operation,
            sends: ended.sent > 0,
            receives: ended.received > 0,
            is_requested: false,
            stop: if frame.traits.is_mpi { frame.stop } else { NO_STOP },
        });
    }

    /// Counts the bytes of an operation at the innermost call.
    fn count_collective(&mut self, &Ended { operation, sent, received, .. }: &Ended) {
        // Making and freeing handles is no operation on anything.
        if mpi::Collective::of(operation).is_some() || sent > 0 || received > 0 {
            self.count_moved(Traffic::collective(sent, received));
        }
    }

    /// An operation is started that has a request.
    pub(super) fn start_collective(&mut self, time: u64, request: u64) {
        let requested = self.requested(time);
        self.start(time, request, Request::Collective(requested));
    }

    /// Keeps an operation that the innermost call starts: index into [`crate::records::Records::requested`].
    fn requested(&mut self, time: u64) -> u32 {
        let start = self.call(time);
        let records = &mut self.scan.records;
        let call = records.calls[start as usize];
        let part = records.collectives.push(Collective {
            begin: call.enter,
            end: u64::MAX,
            place: call.place,
            communicator: None,
            root: Root::NONE,
            operation: CollectiveOperation::Other,
            sends: false,
            receives: false,
            is_requested: true,
            stop: call.stop,
        });
        records.requested.push(Requested { start, part: Some(part), due: None })
    }

    /// The end of an operation with a request is known.
    pub(super) fn know_end(&mut self, requested: u32, ended: &Ended) {
        let records = &mut self.scan.records;
        let Some(part) = records.requested[requested as usize].part else { return };
        let communicator = records.collectives.groups.number(ended.communicator);
        let part = &mut records.collectives[part as usize];
        part.end = ended.time;
        // Where waits are not known, it need not be kept.
        part.communicator = is_analyzed(ended.operation).then_some(communicator);
        (part.root, part.operation) = (ended.root, ended.operation);
        (part.sends, part.receives) = (ended.sent > 0, ended.received > 0);
    }

    /// An operation with a request is complete.
    pub(super) fn collective_complete(&mut self, time: u64, request: u64, ended: Ended) {
        self.count_collective(&ended);
        let call = self.call(time);
        let requested = match self.messages.requests.remove(&request) {
            Some(pending) => match pending.request {
                Request::Collective(requested) if pending.is_sure => requested,
                Request::Collective(requested) => {
                    self.know_end(requested, &ended);
                    requested
                }
                _ => return self.damage(Damage::UnknownRequest, time),
            },
            None => {
                let requested = self.requested(time);
                self.know_end(requested, &ended);
                self.end_of_another(time, request, Outcome::Collective(requested));
                requested
            }
        };
        self.complete(call, Message::Collective(requested));
    }
}
