//! Late senders and late receivers.
//!
//! Each process looks up the other end of its own messages ([`Matches`]) and judges its own calls; no process writes
//! data that another reads.

use ats_model::WaitState;

use crate::{
    judge::{
        account::Account,
        collective::Dues,
        flights::Sent,
        ledger::{Ledger, WaitedFor},
        violations::Violations,
        wrong_order::LateReceive,
    },
    records::{
        Completion, Due, EarlyWaits, Message, MessageEnd, MpiCall,
        process::Process,
        processes::{OtherEnd, Processes},
    },
    words::regions::CallKind,
};

/// The other ends of the messages of a process.
pub(crate) struct Matches {
    /// The senders, by receive.
    pub(crate) senders: Vec<Option<OtherEnd>>,
    /// The receivers, by send.
    pub(crate) receivers: Vec<Option<OtherEnd>>,
}

impl Matches {
    /// The matches of a process without another end for any message.
    pub(crate) fn none(process: &Process) -> Self {
        Matches { senders: vec![None; process.receives.len()], receivers: vec![None; process.sends.len()] }
    }
}

/// The messages of a process.
pub(crate) struct Messages<'a> {
    pub(crate) processes: &'a Processes,
    pub(crate) process: &'a Process,
    pub(crate) matches: &'a Matches,
    pub(crate) dues: &'a Dues,
    pub(crate) early: &'a EarlyWaits,
}

impl Messages<'_> {
    /// The process that sends the message of a receive, and its sending call.
    pub(crate) fn sender(&self, receive: u32) -> Option<(&Process, &MpiCall)> {
        let other = self.matches.senders[receive as usize]?;
        let peer = self.processes.process(other);
        Some((peer, &peer.calls[peer.sends[other.end as usize].start as usize]))
    }

    /// The process that receives the message of a send, and the call that posts its receive.
    pub(crate) fn receiver(&self, send: u32) -> Option<(&Process, &MpiCall)> {
        let other = self.matches.receivers[send as usize]?;
        let peer = self.processes.process(other);
        Some((peer, &peer.calls[peer.receives[other.end as usize].start as usize]))
    }

    /// A message as one that is waited for.
    pub(crate) fn waited_for(&self, message: Message) -> WaitedFor {
        let (ends, end) = match message {
            Message::Send(send) => (&self.process.sends, send),
            Message::Receive(receive) => (&self.process.receives, receive),
            Message::Collective(_) => return WaitedFor { communicator: None, is_empty: false },
        };
        let MessageEnd { channel, bytes, .. } = ends[end as usize];
        let communicator = channel.map(|channel| ends.groups.key(channel).communicator);
        WaitedFor { communicator, is_empty: bytes == 0 }
    }

    /// Measures the flight of the message that was sent last of those that a call completes: it is known if the call
    /// begins before the sender's call ends.
    fn measure_flight(&self, call: &MpiCall, last_sent: Option<(u32, &MpiCall)>, ledger: &mut Ledger) {
        let Some((receive, sender)) = last_sent else { return };
        if call.kind.may_wait_for_sender() && call.enter <= sender.leave && sender.kind.has_times() {
            let flight = call.leave.saturating_sub(call.enter.max(sender.enter));
            let bytes = self.process.receives[receive as usize].bytes;
            ledger.flights.received(call.place, sender.place.location, bytes, flight);
        }
    }

    /// The wait of a send for its receiver in the call that completes it, if the receiver has held it up.
    fn send_wait(
        &self,
        call: &MpiCall,
        send: u32,
        violations: &mut Violations,
        ledger: &mut Ledger,
    ) -> Option<(u64, &MpiCall)> {
        let (peer, receiver) = self.receiver(send)?;
        let MessageEnd { start, bytes, .. } = self.process.sends[send as usize];
        let start = self.process.calls[start as usize];
        if start.kind == CallKind::Synchronous {
            violations.check(call.enter, call.leave, receiver.enter);
        }
        if !call.kind.may_wait_for_receiver() || !receiver.kind.has_times() {
            return None;
        }
        // A send that returned before its receive was posted was not held up by it. One that returned in
        // the same tick was: a machine without latency, as in an ideal trace, returns at once.
        let was_held = call.leave >= receiver.enter;
        let wait = receiver.enter.saturating_sub(call.enter);
        let sent = Sent { of: call.place, leave_node: peer.node != self.process.node };
        match start.kind {
            CallKind::Plain if wait > 0 => ledger.flights.sent(sent, bytes, was_held),
            _ if was_held && wait > 0 => ledger.flights.count_held(sent),
            _ => {}
        }
        was_held.then_some((wait, receiver))
    }

    /// Books the wait in a call that completes messages, and counts the contradictions with its clock: of all its
    /// messages only the largest wait counts, and a late sender goes before a late receiver. A wait for collective
    /// operations counts as far as it is longer than that, so that Scalasca's waits keep their time.
    pub(crate) fn judge_call(&self, completions: &[Completion], account: &mut Account) {
        let covered = self.judge_waits(completions, account);
        self.judge_progress(completions, covered, account);
    }

    /// Books what a call waits for until its messages and operations have started; returns until when.
    fn judge_waits(&self, completions: &[Completion], account: &mut Account) -> u64 {
        let Account { ledger, histories, violations, .. } = account;
        let process = self.process;
        let call = process.calls[completions[0].call as usize];
        let history = histories.entry(call.place.location).or_default();
        let mut late_sender = (0, None);
        let mut late_receiver = (0, None);
        let mut late_member: (u64, Option<Due>) = (0, None);
        let mut last_sent: Option<(u32, &MpiCall)> = None;
        for &Completion { message, .. } in completions {
            match message {
                Message::Collective(requested) => {
                    let Some(due) = self.dues.get(requested) else { continue };
                    if due.is_certain() {
                        violations.check(call.enter, call.leave, due.late.time);
                    }
                    let wait = due.late.time.min(call.leave).saturating_sub(call.enter);
                    if call.kind.may_wait_for_sender() && wait > late_member.0 {
                        late_member = (wait, Some(due));
                    }
                }
                Message::Receive(receive) => {
                    let Some((peer, sender)) = self.sender(receive) else { continue };
                    violations.check(call.enter, call.leave, sender.enter);
                    if sender.kind == CallKind::Mistimed {
                        continue;
                    }
                    history.received(peer.rank, sender.enter, ledger);
                    if last_sent.is_none_or(|(_, last)| last.enter <= sender.enter) {
                        last_sent = Some((receive, sender));
                    }
                    let wait = sender.enter.min(call.leave).saturating_sub(call.enter);
                    if call.kind.may_wait_for_sender() && wait > late_sender.0 {
                        late_sender = (wait, Some((message, peer.rank, sender)));
                    }
                }
                Message::Send(send) => {
                    let Some((wait, receiver)) = self.send_wait(&call, send, violations, ledger) else {
                        continue;
                    };
                    if wait > late_receiver.0 {
                        late_receiver = (wait, Some((message, receiver)));
                    }
                }
            }
        }
        self.measure_flight(&call, last_sent, ledger);
        let of_messages = if late_sender.0 > 0 { late_sender.0 } else { late_receiver.0 };
        if let (wait, Some(Due { state, late, communicator })) = late_member {
            let begin = (call.enter + of_messages.min(wait), Some(late.location));
            let beyond = wait.saturating_sub(of_messages);
            let beyond = ledger.inner.outside(call.place, begin.0, beyond);
            ledger.add_from(begin, state, call.place, beyond, Some(communicator));
            ledger.points.operation(state, &call, late, beyond);
        }
        match (late_sender, late_receiver) {
            ((wait, Some((message, source, send))), _) => {
                let (message, begin, place) = (self.waited_for(message), call.enter, call.place);
                let wait = ledger.inner.outside(call.place, begin, wait);
                let (sent, sender) = (send.enter, send.place.location);
                ledger.points.message(WaitState::LateSender, &call, send, wait);
                let (stop, has_order) = (call.stop, call.kind != CallKind::AnyOrder);
                let late = LateReceive { sent, source, sender, message, begin, wait, place, stop, has_order };
                history.push(late, ledger);
            }
            (_, (wait, Some((message, receiver)))) => {
                let wait = ledger.inner.outside(call.place, call.enter, wait);
                ledger.points.message(WaitState::LateReceiver, &call, receiver, wait);
                let awaited = Some(receiver.place.location);
                let (message, from) = (self.waited_for(message), (call.enter, awaited));
                ledger.add_message(from, WaitState::LateReceiver, call.place, wait, message);
            }
            _ => {}
        }
        call.enter + of_messages.max(late_member.0)
    }
}
