//! The end of an MPI call: when it returns, what it waited for, and its events.

use ats_model::event::{CommunicatorRef, Event};
use ats_model::rules::{Blocked, Cause};

use smallvec::SmallVec;

use crate::account::MessageWait;
use crate::call::Frame;
use crate::collective::Call;
use crate::point_to_point::{CompletedSend, Done, Kind, Operation, State, late_receiver, late_sender};
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
            self.count_sent(frame, 1, bytes);
        }
    }

    /// Leaves a call that completes operations: the clock moves to when it can return, waits are charged, events
    /// written, the operations forgotten. Returns the result of the last one.
    pub(crate) fn finish(&mut self, frame: &Frame, numbers: &[u32], call: Option<&Call>) -> Done {
        let here = self.current as u32;
        let mut leave = self.here().clock;
        let mut last = Done { at: leave, partner: None, earliest_end: leave, source: 0, tag: 0, bytes: 0 };
        for &number in numbers {
            if let Some(Operation { state: State::Done(done), .. }) = self.operation(here, number) {
                leave = leave.max(done.at);
                last = *done;
            }
        }
        let leave = frame.pinned_leave().unwrap_or(leave);
        let mut waits: SmallVec<[MessageWait; 2]> = SmallVec::new();
        for &number in numbers {
            let Some(operation) = self.operation(here, number) else { continue };
            let State::Done(done) = operation.state else { continue };
            let (kind, group) = (operation.kind, operation.group);
            if operation.persistent {
                operation.state = State::Inactive;
            } else {
                self.forget(number);
            }
            let wait = match kind {
                Kind::Send { to, tag, bytes, message, .. } => {
                    self.sent_event(frame, Sent { to, tag, bytes, message, group }, leave);
                    match done.partner {
                        Some(posted) => late_receiver(posted, frame.enter, leave, group),
                        None => {
                            if leave > frame.enter {
                                let completed = CompletedSend {
                                    location: here,
                                    call: frame.name,
                                    call_path: self.here().call_path,
                                    enter: frame.enter,
                                    leave,
                                    communicator: group,
                                };
                                self.completed_sends.insert(message, completed);
                            }
                            continue;
                        }
                    }
                }
                Kind::Recv { .. } => {
                    self.here().clock = leave;
                    let (sender, communicator, tag, bytes) =
                        (done.source, CommunicatorRef(group), done.tag, done.bytes as u64);
                    self.event(if frame.completes_requests {
                        Event::MpiIrecv { sender, communicator, tag, bytes, request: u64::from(number) }
                    } else {
                        Event::MpiRecv { sender, communicator, tag, bytes }
                    });
                    let sent = done.partner.unwrap_or(frame.enter);
                    late_sender(sent, done.source, frame.enter, leave, group)
                }
                Kind::Collective { cause, .. } => {
                    if let Some(call) = call {
                        self.collective_events(frame, call, group, leave);
                    }
                    if let (true, Some(cause), Some(partner)) = (self.accounts, cause, done.partner) {
                        let size = self.groups[group as usize].members.len();
                        let analyzed = call.is_some_and(|call| call.analyzed(size));
                        let waited = Waited { cause, partner, earliest_end: done.earliest_end, leave };
                        self.account_collective(frame, &waited, group, analyzed);
                    }
                    continue;
                }
            };
            waits.push(wait);
        }
        if self.accounts {
            let path = self.here().call_path;
            self.here().account.messages(frame.name, path, &waits);
        }
        self.here().clock = leave;
        self.leave(frame);
        last
    }

    fn sent_event(&mut self, frame: &Frame, sent: Sent, leave: u64) {
        let Sent { to, tag, bytes, message, group } = sent;
        if frame.completes_requests {
            self.here().clock = leave;
            self.event(Event::MpiIsendComplete { request: message });
        } else {
            self.here().clock = frame.enter;
            let communicator = CommunicatorRef(group);
            self.event(Event::MpiSend { receiver: to, communicator, tag, bytes: bytes as u64 });
            self.count_sent(frame, 1, bytes as u64);
        }
    }

    fn collective_events(&mut self, frame: &Frame, call: &Call, group: u32, leave: Picoseconds) {
        self.here().clock = frame.enter;
        self.event(Event::MpiCollectiveBegin);
        self.here().clock = leave;
        let (operation, root, communicator) = (call.operation, call.root(), CommunicatorRef(group));
        let (sent, received) = (call.sent, call.received);
        self.event(Event::MpiCollectiveEnd { operation, communicator, root, sent, received });
        self.count_sent(frame, 0, sent);
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

/// A send that is complete.
struct Sent {
    to: u32,
    tag: u32,
    bytes: usize,
    message: u64,
    group: u32,
}
