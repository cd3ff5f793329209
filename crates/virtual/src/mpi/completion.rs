//! The end of a call of MPI: its time of return, its waits, and its events.

use ats_model::Traffic;
use ats_model::event::{CommunicatorRef, Event};
use ats_model::mpi::Kind;
use ats_model::own_attribute::Own;
use smallvec::SmallVec;

use crate::kernel::state::Kernel;
use crate::kernel::time::Picoseconds;
use crate::mpi::call::{self, Frame, count_moved};
use crate::mpi::operation::{Done, Operation, OperationKind, Progress, Received};
use crate::mpi::part::Part;
use crate::mpi::rules::{self, Blocked, Cause};
use crate::mpi::starts::{HeldCall, Partner};
use crate::mpi::state::Mpi;
use crate::mpi::waits::{
    self, CompletedCall, CompletedSend, MessageWait, charge_messages, late_receiver, late_root, late_sender,
};

/// A call that returns, and completes operations.
#[derive(Clone, Copy)]
struct Return<'a> {
    frame: &'a Frame,
    /// The member's part, if it is a collective, or completes one.
    part: Option<&'a Part>,
    /// Whether other calls have started the operations.
    completes_requests: bool,
    /// Whether it receives a message that was sent after it was entered: then it waited for that, and not for a
    /// receive.
    has_late_sender: bool,
    leave: Picoseconds,
}

/// The partners that a call has waited for in one operation.
#[derive(Clone, Copy)]
struct Waited {
    /// The other side of a message, or members of a collective operation.
    message: Option<MessageWait>,
    /// A partner that may have acted on the message late.
    partner: Option<Partner>,
    /// The number of a message that has no receive yet, and its group.
    unmatched: Option<(u64, u32)>,
}

/// An operation that is complete.
struct Ended {
    number: u32,
    kind: OperationKind,
    group: u32,
    done: Done,
}

impl Mpi {
    /// Leaves a call that has started an operation without waiting for it.
    pub(crate) fn leave_started(&mut self, kernel: &mut Kernel<'_>, frame: &Frame, number: u32) {
        self.started_event(kernel, frame, number);
        call::leave(self, kernel, frame);
    }

    fn started_event(&mut self, kernel: &mut Kernel<'_>, frame: &Frame, number: u32) {
        let Some(operation) = self.here(kernel).operations.get_mut(number) else { return };
        // One name space for all kinds, as recorders have it.
        let (communicator, request) = (CommunicatorRef(operation.group), u64::from(number));
        match operation.kind {
            OperationKind::Send { to: receiver, tag, bytes, .. } => {
                let bytes = bytes as u64;
                kernel.event(Event::MpiIsend { receiver, communicator, tag, bytes, request });
                count_moved(kernel, frame, Traffic::message_sent(bytes));
            }
            OperationKind::Recv { .. } => {
                kernel.event(Event::MpiIrecvRequest { request });
            }
            OperationKind::Collective { .. } => {
                let part = self.here(kernel).parts.get(&number);
                if part.is_some_and(Part::is_among_neighbors) {
                    kernel.note(Own::Neighborhood, u64::from(communicator.0));
                }
                kernel.event(Event::NonBlockingCollectiveRequest { request });
            }
        }
    }

    /// Leaves a call of one operation: the clock moves to when it can return, its wait is charged, events written, the
    /// operation forgotten.
    pub(crate) fn finish_one(
        &mut self,
        kernel: &mut Kernel<'_>,
        frame: &Frame,
        number: u32,
        part: Option<&Part>,
    ) -> Received {
        let Some(done) = self.here(kernel).done(number) else { return Received::default() };
        let delay = part.map_or(0, |part| part.delay);
        let leave = frame.pinned_leave().unwrap_or(kernel.now().max(done.at).saturating_add(delay));
        let call = Return { frame, part, completes_requests: false, has_late_sender: false, leave };
        let waited = self.end(kernel, &call, number);
        if let Some(waited) = waited {
            self.charge(kernel, &call, &[waited]);
        }
        call::leave_at(self, kernel, leave, frame);
        done.received
    }

    /// The same for a call that completes any number of operations, which other calls may have started.
    pub(crate) fn finish(
        &mut self,
        kernel: &mut Kernel<'_>,
        frame: &Frame,
        numbers: &[u32],
        completes_requests: bool,
    ) -> Received {
        let (mut at, mut received) = (kernel.now(), Received::default());
        let process = self.here(kernel);
        for done in numbers.iter().filter_map(|&number| process.done(number)) {
            at = at.max(done.at);
            received = done.received;
        }
        let leave = frame.pinned_leave().unwrap_or(at);
        if completes_requests {
            self.end_polling(kernel, frame, leave, numbers);
            if self.here(kernel).is_shared() {
                numbers.iter().for_each(|&number| self.acts_on_completed(kernel, number, frame.enter));
            }
        }
        let has_late_sender = kernel.accounts && self.has_late_sender(kernel, frame.enter, numbers);
        let call = Return { frame, part: None, completes_requests, has_late_sender, leave };
        let mut waits: SmallVec<[Waited; 2]> = SmallVec::new();
        for &number in numbers {
            if self.here(kernel).done(number).is_some() {
                waits.extend(self.end(kernel, &call, number));
            }
        }
        self.charge(kernel, &call, &waits);
        call::leave_at(self, kernel, leave, frame);
        received
    }

    /// Whether one of the operations received a message that was sent after this.
    fn has_late_sender(&mut self, kernel: &Kernel<'_>, enter: Picoseconds, numbers: &[u32]) -> bool {
        let operations = &mut self.here(kernel).operations;
        numbers.iter().any(|&number| match operations.get_mut(number) {
            Some(Operation { kind: OperationKind::Recv { .. }, progress: Progress::Done(done), .. }) => {
                done.partner.is_some_and(|sent| sent > enter)
            }
            _ => false,
        })
    }

    /// Ends an operation in a call: counts and releases it. Returns the call's wait for the message.
    #[inline(always)]
    fn end(&mut self, kernel: &mut Kernel<'_>, call: &Return<'_>, number: u32) -> Option<Waited> {
        let of_request =
            if call.completes_requests { self.here(kernel).parts.get(&number).copied() } else { None };
        let call = &Return { part: call.part.or(of_request.as_ref()), ..*call };
        let wait = if kernel.follows_call_paths() { self.follow(kernel, call, number) } else { None };
        let process = self.here(kernel);
        let operation = process.operations.get_mut(number)?;
        call.count_moved(kernel, operation);
        if operation.persistent {
            operation.progress = Progress::Inactive;
        } else {
            process.operations.forget(number);
            if of_request.is_some() {
                process.parts.remove(&number);
            }
        }
        wait
    }

    /// Records an operation's end for the sink and the accounts.
    #[inline(never)]
    fn follow(&mut self, kernel: &mut Kernel<'_>, call: &Return<'_>, number: u32) -> Option<Waited> {
        let operation = self.here(kernel).operations.get_mut(number)?;
        let &mut Operation { kind, group, progress: Progress::Done(done), .. } = operation else {
            return None;
        };
        let ended = Ended { number, kind, group, done };
        if kernel.sink.is_some() {
            call.events(kernel, &ended);
        }
        if kernel.accounts { self.wait(kernel, call, &ended) } else { None }
    }

    /// The call has waited like this.
    #[inline(never)]
    fn charge(&mut self, kernel: &mut Kernel<'_>, call: &Return<'_>, waited: &[Waited]) {
        let order = &mut self.caller(kernel.number()).order;
        let here = kernel.here();
        let (function, call_path, enter) = (call.frame.function, here.call_path, call.frame.enter);
        let waits: SmallVec<[MessageWait; 2]> = waited.iter().filter_map(|one| one.message).collect();
        let ticks = charge_messages(&mut here.account, order, function, call_path, &waits);
        let unmatched = || waited.iter().filter_map(|one| one.unmatched);
        let partners = || waited.iter().filter_map(|one| one.partner);
        if waited.iter().all(|one| one.partner.is_none() && one.unmatched.is_none()) {
            return;
        }
        let covered = enter.saturating_add(ticks);
        let held = HeldCall { location: kernel.number(), call_path, covered, leave: call.leave };
        let held = self.charge_progress(kernel, held, partners(), unmatched().count() as u32);
        for (message, communicator) in unmatched() {
            let (call, has_late_sender) = (call.completed(kernel, communicator), call.has_late_sender);
            self.completed_sends.insert(message, CompletedSend { call, has_late_sender, held });
        }
    }

    /// The call's wait for the other side of a message, or for a collective operation with a request; those of
    /// blocking ones are charged at once.
    fn wait(&mut self, kernel: &mut Kernel<'_>, call: &Return<'_>, ended: &Ended) -> Option<Waited> {
        let &Ended { kind, group, done, .. } = ended;
        let (enter, leave) = (call.frame.enter, call.leave);
        match (kind, done.partner) {
            (OperationKind::Send { .. }, Some(posted)) => {
                let partner = self.partner(call, ended, (Cause::ReceiveNotPosted, posted));
                let message = Some(late_receiver(posted, enter, leave, group));
                Some(Waited { message, partner, unmatched: None })
            }
            (OperationKind::Send { message, .. }, None) => {
                // Whether it waited shows when its receive is posted; if it took no time it cannot have.
                let unmatched = (leave > enter).then_some((message, group));
                Some(Waited { message: None, partner: None, unmatched })
            }
            (OperationKind::Recv { .. }, sent) => {
                // Whether two sources are one is a question of processes, not of ranks in their communicators.
                let source = self.groups[group as usize].members[done.received.source as usize];
                let sent = sent.unwrap_or(enter);
                let partner = self.partner(call, ended, (Cause::MessageNotSent, sent));
                let message = Some(late_sender(sent, source, enter, leave, group));
                Some(Waited { message, partner, unmatched: None })
            }
            (OperationKind::Collective { cause: Some(cause), .. }, Some(partner))
                if call.completes_requests =>
            {
                let message = Some(waits::for_members(call.blocked(cause, partner), group));
                Some(Waited { message, partner: None, unmatched: None })
            }
            (OperationKind::Collective { cause: Some(cause), .. }, Some(partner)) => {
                let size = self.groups[group as usize].members.len();
                call.charge_collective(kernel, cause, ended, partner, size);
                None
            }
            (OperationKind::Collective { instance, cause: Some(Cause::ReceiverNotReached) }, None) => {
                let size = self.groups[group as usize].members.len();
                if leave > enter && call.part.is_some_and(|part| part.is_analyzed(size)) {
                    // Whether it waited shows when the root comes.
                    let completed = call.completed(kernel, group);
                    self.groups[group as usize].instance(instance).left.push(completed);
                }
                None
            }
            (OperationKind::Collective { .. }, _) => None,
        }
    }
}

impl Mpi {
    /// The partner of an operation that has ended, if a call that does not wait started its part at `since`, and the call
    /// may have waited for it to act.
    fn partner(
        &mut self,
        call: &Return<'_>,
        ended: &Ended,
        (cause, since): (Cause, Picoseconds),
    ) -> Option<Partner> {
        let start = ended.done.start?;
        if rules::may_wait_for_progress(call.frame.function, cause) {
            return Some(Partner { start, since, communicator: ended.group });
        }
        self.starts.forget(start);
        None
    }
}

impl Return<'_> {
    /// The record of it that is kept until the other side comes.
    fn completed(&self, kernel: &mut Kernel<'_>, communicator: u32) -> CompletedCall {
        CompletedCall {
            location: kernel.number(),
            call: self.frame.function,
            call_path: kernel.here().call_path,
            enter: self.frame.enter,
            leave: self.leave,
            communicator,
        }
    }

    /// Counts the traffic of the call; a non-blocking send has been counted where it started.
    #[inline(always)]
    fn count_moved(&self, kernel: &mut Kernel<'_>, operation: &Operation) {
        match (&operation.kind, &operation.progress) {
            (OperationKind::Send { bytes, .. }, _) if !self.completes_requests => {
                count_moved(kernel, self.frame, Traffic::message_sent(*bytes as u64));
            }
            (OperationKind::Recv { .. }, Progress::Done(done)) => {
                count_moved(kernel, self.frame, Traffic::message_received(done.received.bytes as u64));
            }
            (OperationKind::Collective { .. }, _) => {
                // Blocking ones that move nothing are counted by the visits to their calls.
                let counts = |part: &&Part| self.completes_requests || part.sent + part.received > 0;
                if let Some(part) = self.part.filter(counts) {
                    count_moved(kernel, self.frame, Traffic::collective(part.sent, part.received));
                }
            }
            _ => {}
        }
    }

    /// The events of an operation's end.
    #[inline(never)]
    fn events(&self, kernel: &mut Kernel<'_>, ended: &Ended) {
        let (communicator, request) = (CommunicatorRef(ended.group), u64::from(ended.number));
        let mut event_at = |time, event| {
            kernel.here().clock = time;
            kernel.event(event);
        };
        match ended.kind {
            OperationKind::Send { .. } if self.completes_requests => {
                event_at(self.leave, Event::MpiIsendComplete { request });
            }
            OperationKind::Send { to: receiver, tag, bytes, .. } => {
                let bytes = bytes as u64;
                event_at(self.frame.enter, Event::MpiSend { receiver, communicator, tag, bytes });
            }
            OperationKind::Recv { .. } => {
                let Received { source: sender, tag, bytes } = ended.done.received;
                let bytes = bytes as u64;
                let event = if self.completes_requests {
                    Event::MpiIrecv { sender, communicator, tag, bytes, request }
                } else {
                    Event::MpiRecv { sender, communicator, tag, bytes }
                };
                event_at(self.leave, event);
            }
            OperationKind::Collective { .. } if self.completes_requests => {
                let Some(part) = self.part else { return };
                event_at(self.leave, part.complete(communicator, request));
            }
            OperationKind::Collective { .. } => {
                let Some(part) = self.part else { return };
                if part.is_among_neighbors() {
                    kernel.here().clock = self.leave;
                    kernel.note(Own::Neighborhood, u64::from(communicator.0));
                    return;
                }
                event_at(self.frame.enter, Event::MpiCollectiveBegin);
                event_at(self.leave, part.end(communicator));
            }
        }
        let is_send = matches!(ended.kind, OperationKind::Send { .. });
        if is_send && self.leave > self.frame.enter && ended.done.partner == Some(self.leave) {
            kernel.send_was_held(self.leave);
        }
    }

    /// The time that the call was blocked in a collective operation until `partner` came.
    fn blocked(&self, cause: Cause, partner: Picoseconds) -> Blocked {
        let (enter, leave) = (self.frame.enter, self.leave);
        match cause {
            Cause::ReceiverNotReached => late_root(partner, enter, leave),
            _ => Blocked { cause, ticks: partner.min(leave).saturating_sub(enter) },
        }
    }

    /// The call was blocked in a collective operation of `size` members until `partner` came, and perhaps longer.
    fn charge_collective(
        &self,
        kernel: &mut Kernel<'_>,
        cause: Cause,
        ended: &Ended,
        partner: Picoseconds,
        size: usize,
    ) {
        let Return { frame, leave, .. } = *self;
        let analyzed = self.part.is_some_and(|part| part.is_analyzed(size));
        let here = kernel.here();
        let at = (here.call_path, ended.group);
        let is_init = frame.function.kind() == Kind::Initialize;
        // Nobody waits for the last to come to MPI_Init once another has left it.
        let partner = if is_init { partner.min(ended.done.earliest_end) } else { partner };
        let reached = partner.min(leave);
        waits::charge(&mut here.account, frame.function, at, self.blocked(cause, partner), analyzed);
        let completion = match cause {
            Cause::BarrierNotReached => Cause::BarrierNotLeft,
            Cause::AllToAllNotReached => Cause::AllToAllNotLeft,
            _ => return,
        };
        // Whether the last has come tells nothing of who leaves MPI_Init first.
        let reached = if is_init { 0 } else { reached };
        let ticks = leave.saturating_sub(ended.done.earliest_end.max(reached).max(frame.enter));
        waits::charge(&mut here.account, frame.function, at, Blocked { cause: completion, ticks }, analyzed);
    }
}
