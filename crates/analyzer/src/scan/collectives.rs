//! The part of pass 1 that follows collective operations, blocking ones and those with requests.
//!
//! The operations on a communicator count in the order of their starts, but the record of a start does not name the
//! communicator. So an operation with a request has a place among all operations of the location from its start on, and
//! gets its communicator when it is complete, or foreseen.

use ats_model::{
    Traffic,
    event::{CollectiveOperation, CommunicatorRef, Root},
    mpi,
};

use super::{
    CallTime, Frame, Scanner,
    lookahead::Ended,
    open_messages::{Outcome, Request},
};
use crate::{
    records::{Collective, Message, Requested},
    words::{
        damage::Damage,
        flow::{Flow, flow, is_analyzed},
        place::{NO_STOP, Place},
        regions::CallKind,
    },
};

impl Scanner<'_> {
    /// A blocking operation is over.
    pub(super) fn collective(&mut self, ended: Ended) {
        self.count_collective(&ended);
        let begin = self.collective_end();
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
            // Without its time it keeps its place, but fits to none of the others.
            operation: match frame.traits.call {
                CallKind::Mistimed => CollectiveOperation::Other,
                _ => ended.operation,
            },
            sends: ended.sent > 0,
            receives: ended.received > 0,
            is_requested: false,
            is_among_neighbors: false,
            stop: if frame.traits.is_mpi { frame.stop } else { NO_STOP },
        });
        self.keep_inner(self.place(frame.path));
    }

    /// Counts the bytes of an operation at the innermost call.
    fn count_collective(&mut self, &Ended { operation, sent, received, .. }: &Ended) {
        // Making and freeing handles is no operation on anything.
        if mpi::Collective::from_operation(operation).is_some() || sent > 0 || received > 0 {
            self.count_moved(Traffic::collective(sent, received));
        }
    }

    /// An operation is started that has a request.
    pub(super) fn start_collective(&mut self, time: u64, request: u64) {
        let is_noted = self.neighborhood.take().is_some();
        let is_named = self.innermost().is_some_and(|frame| frame.traits.among_neighbors.is_some());
        let requested = self.requested(time, is_noted || is_named);
        self.start(time, request, Request::Collective(requested));
    }

    /// Keeps an operation that the innermost call starts: index into [`crate::records::Records::requested`].
    fn requested(&mut self, time: u64, is_among_neighbors: bool) -> u32 {
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
            is_among_neighbors,
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
                let requested = self.requested(time, false);
                self.know_end(requested, &ended);
                self.end_of_another(time, request, Outcome::Collective(requested));
                requested
            }
        };
        if self.is_among_strangers(requested, ended.communicator)
            && let Some(&Frame { enter, path, .. }) = self.innermost()
        {
            let ticks = time.saturating_sub(enter);
            self.scan.unfollowed.add(self.open.base, path, CallTime { calls: 1, ticks });
        }
        self.complete(call, Message::Collective(requested));
    }

    /// A blocking call of an operation between neighbours is left. What it waits for is known if the recorder has noted its
    /// communicator, and the neighbours that the process has there.
    #[cold]
    pub(super) fn close_neighborhood(&mut self, time: u64, frame: Frame) {
        let noted = (self.neighborhood.take(), frame.traits.among_neighbors);
        let (Some(communicator), Some(operation)) = noted else { return self.close_unknown(time, frame) };
        if !self.has_neighbors(communicator) {
            self.close_unknown(time, frame);
        }
        // It counts in any case: others may wait for it.
        let place = self.place(frame.path);
        let collectives = &mut self.scan.records.collectives;
        let number = collectives.groups.number(communicator);
        collectives.push(Collective {
            begin: frame.enter,
            end: time,
            place,
            communicator: Some(number),
            root: Root::NONE,
            operation,
            sends: false,
            receives: false,
            is_requested: false,
            is_among_neighbors: true,
            stop: frame.stop,
        });
    }

    /// Whether an operation with a request is one between neighbours that are not known.
    fn is_among_strangers(&self, requested: u32, communicator: CommunicatorRef) -> bool {
        let records = &self.scan.records;
        let part = records.requested[requested as usize].part;
        part.is_some_and(|part| records.collectives[part as usize].is_among_neighbors)
            && !self.has_neighbors(communicator)
    }

    /// Whether the neighbours of the process on a communicator are known.
    fn has_neighbors(&self, communicator: CommunicatorRef) -> bool {
        self.definitions.neighbors.contains_key(&(self.rank, communicator))
    }
}
