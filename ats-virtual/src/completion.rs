//! The end of an MPI call: when it returns, what it waited for, and its events.

use crate::rules::{Blocked, Cause};
use ats_model::event::{CommunicatorRef, Event};

use smallvec::SmallVec;

use crate::account::MessageWait;
use crate::call::Frame;
use crate::collective::Call;
use crate::point_to_point::{
    CompletedSend, Done, Kind, Operation, Received, State, late_receiver, late_sender,
};
use crate::time::Picoseconds;
use crate::world::World;

impl World<'_> {
    /// The event of a non-blocking start.
    pub(crate) fn started_event(&mut self, frame: &Frame, number: u32) {
        let here = self.current as u32;
        let Some(operation) = self.operation(here, number) else { return };
        let communicator = CommunicatorRef(operation.group);
        let event = match operation.kind {
            Kind::Send { to, tag, bytes, message, .. } => {
                Event::MpiIsend { receiver: to, communicator, tag, bytes: bytes as u64, request: message }
            }
            Kind::Recv { .. } => Event::MpiIrecvRequest { request: u64::from(number) },
            Kind::Collective { .. } => return,
        };
        self.event(event);
        if let Event::MpiIsend { bytes, .. } = event {
            self.count_sent(frame, (1, bytes));
        }
    }

    /// Leaves a call of one operation: the clock moves to when it can return, its wait is charged, events written, the
    /// operation forgotten.
    pub(crate) fn finish_one(&mut self, frame: &Frame, number: u32, call: Option<&Call>) -> Received {
        let Some(done) = self.done_one(number) else { return Received::default() };
        let leave = frame.pinned_leave().unwrap_or(self.here().clock.max(done.at));
        let wait = self.end(frame, number, call, leave);
        self.return_at(leave, frame, wait.as_slice());
        done.received
    }

    /// The same for a call that completes any number of operations.
    pub(crate) fn finish(&mut self, frame: &Frame, numbers: &[u32]) -> Received {
        let (mut at, mut received) = (self.here().clock, Received::default());
        for done in numbers.iter().filter_map(|&number| self.done_one(number)) {
            at = at.max(done.at);
            received = done.received;
        }
        let leave = frame.pinned_leave().unwrap_or(at);
        let waits: SmallVec<[MessageWait; 2]> =
            numbers.iter().filter_map(|&number| self.end(frame, number, None, leave)).collect();
        self.return_at(leave, frame, &waits);
        received
    }

    /// How an operation of the location that runs ended, if it has.
    #[inline(always)]
    fn done_one(&mut self, number: u32) -> Option<Done> {
        match self.here().operations.get_mut(number)?.state {
            State::Done(done) => Some(done),
            _ => None,
        }
    }

    /// An operation ends in the call that returns at `leave`: it is counted and forgotten. Returns what the call waited for
    /// its message.
    #[inline(always)]
    fn end(
        &mut self,
        frame: &Frame,
        number: u32,
        call: Option<&Call>,
        leave: Picoseconds,
    ) -> Option<MessageWait> {
        let followed = self.follows_call_paths();
        let operations = &mut self.here().operations;
        let operation = operations.get_mut(number)?;
        let &mut Operation { kind, group, state: State::Done(done), .. } = operation else { return None };
        let sent = kind.sent(frame, call);
        let ended = followed.then_some(Ended { number, kind, group, done, leave });
        if operation.persistent {
            operation.state = State::Inactive;
        } else {
            operations.forget(number);
        }
        self.count_sent(frame, sent);
        let ended = ended?;
        if self.sink.is_some() {
            self.end_events(frame, &ended, call);
        }
        if self.accounts { self.wait_of(frame, &ended, call) } else { None }
    }

    /// Leaves a call at `leave` that has waited like this.
    fn return_at(&mut self, leave: Picoseconds, frame: &Frame, waits: &[MessageWait]) {
        let here = self.here();
        if !waits.is_empty() {
            here.account.messages(frame.name, here.call_path, waits);
        }
        self.advance_to(leave);
        self.leave(frame);
    }

    /// The events of an operation's end.
    #[inline(never)]
    fn end_events(&mut self, frame: &Frame, ended: &Ended, call: Option<&Call>) {
        let communicator = CommunicatorRef(ended.group);
        match ended.kind {
            Kind::Send { message, .. } if frame.completes_requests => {
                self.here().clock = ended.leave;
                self.event(Event::MpiIsendComplete { request: message });
            }
            Kind::Send { to: receiver, tag, bytes, .. } => {
                let bytes = bytes as u64;
                self.here().clock = frame.enter;
                self.event(Event::MpiSend { receiver, communicator, tag, bytes });
            }
            Kind::Recv { .. } => {
                let Received { source: sender, tag, bytes } = ended.done.received;
                let bytes = bytes as u64;
                self.here().clock = ended.leave;
                self.event(if frame.completes_requests {
                    Event::MpiIrecv { sender, communicator, tag, bytes, request: u64::from(ended.number) }
                } else {
                    Event::MpiRecv { sender, communicator, tag, bytes }
                });
            }
            Kind::Collective { .. } => {
                let Some(call) = call else { return };
                let (operation, root) = (call.operation, call.root());
                let (sent, received) = (call.sent, call.received);
                self.here().clock = frame.enter;
                self.event(Event::MpiCollectiveBegin);
                self.here().clock = ended.leave;
                self.event(Event::MpiCollectiveEnd { operation, communicator, root, sent, received });
            }
        }
    }

    /// How long the call waited for the other side of a message; waits for collective operations are booked at once.
    fn wait_of(&mut self, frame: &Frame, ended: &Ended, call: Option<&Call>) -> Option<MessageWait> {
        let &Ended { kind, group, done, leave, .. } = ended;
        match (kind, done.partner) {
            (Kind::Send { .. }, Some(posted)) => Some(late_receiver(posted, frame.enter, leave, group)),
            (Kind::Send { message, .. }, None) => {
                // Whether it waited shows when its receive is posted; if it took no time it cannot have.
                if leave > frame.enter {
                    let completed = CompletedSend {
                        location: self.current as u32,
                        call: frame.name,
                        call_path: self.here().call_path,
                        enter: frame.enter,
                        leave,
                        communicator: group,
                    };
                    self.completed_sends.insert(message, completed);
                }
                None
            }
            (Kind::Recv { .. }, sent) => {
                let sent = sent.unwrap_or(frame.enter);
                // Whether two sources are one is a question of processes, not of ranks in their communicators.
                let source = self.groups[group as usize].members[done.received.source as usize];
                Some(late_sender(sent, source, frame.enter, leave, group))
            }
            (Kind::Collective { cause: Some(cause), .. }, Some(partner)) => {
                let size = self.groups[group as usize].members.len();
                let analyzed = call.is_some_and(|call| call.analyzed(size));
                let waited = Waited { cause, partner, earliest_end: done.earliest_end, leave };
                self.account_collective(frame, &waited, group, analyzed);
                None
            }
            (Kind::Collective { .. }, _) => None,
        }
    }

    fn account_collective(&mut self, frame: &Frame, waited: &Waited, group: u32, analyzed: bool) {
        let &Waited { cause, partner, earliest_end, leave } = waited;
        let path = self.here().call_path;
        let account = &mut self.here().account;
        let reached = partner.min(leave);
        let blocked = Blocked { cause, ticks: reached.saturating_sub(frame.enter) };
        account.blocked(frame.name, path, group, blocked, analyzed);
        let completion = match cause {
            Cause::BarrierNotReached => Cause::BarrierNotLeft,
            Cause::AllToAllNotReached => Cause::AllToAllNotLeft,
            _ => return,
        };
        let ticks = leave.saturating_sub(earliest_end.max(reached).max(frame.enter));
        account.blocked(frame.name, path, group, Blocked { cause: completion, ticks }, analyzed);
    }
}

/// How a collective operation went for one member.
struct Waited {
    cause: Cause,
    partner: Picoseconds,
    earliest_end: Picoseconds,
    leave: Picoseconds,
}

/// An operation that is complete.
struct Ended {
    number: u32,
    kind: Kind,
    group: u32,
    done: Done,
    /// When its call returns.
    leave: Picoseconds,
}

impl Kind {
    /// Messages and bytes that the call has sent; a non-blocking send has been counted where it started.
    fn sent(&self, frame: &Frame, call: Option<&Call>) -> (u64, u64) {
        match *self {
            Kind::Send { bytes, .. } if !frame.completes_requests => (1, bytes as u64),
            Kind::Collective { .. } => (0, call.map_or(0, |call| call.sent)),
            _ => (0, 0),
        }
    }
}
