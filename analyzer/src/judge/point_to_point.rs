//! Late senders and late receivers.
//!
//! Each process looks up the other end of its own messages ([`Matches`]) and judges its own calls; no process writes
//! data that another reads.

use ats_model::{WaitState, event::CommunicatorRef};

use crate::{
    judge::{account::Account, wrong_order::LateReceive},
    records::{
        Completion, Message, MpiCall,
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
}

impl Messages<'_> {
    /// The process that sends the message of a receive, and its sending call.
    pub(crate) fn sender(&self, receive: u32) -> Option<(&Process, &MpiCall)> {
        let other = self.matches.senders[receive as usize]?;
        let peer = self.processes.of(other);
        Some((peer, &peer.calls[peer.sends[other.end as usize].start as usize]))
    }

    /// The process that receives the message of a send, and the call that posts its receive.
    pub(crate) fn receiver(&self, send: u32) -> Option<(&Process, &MpiCall)> {
        let other = self.matches.receivers[send as usize]?;
        let peer = self.processes.of(other);
        Some((peer, &peer.calls[peer.receives[other.end as usize].start as usize]))
    }

    /// The communicator of a message.
    pub(crate) fn communicator(&self, message: Message) -> Option<CommunicatorRef> {
        let (ends, end) = match message {
            Message::Send(send) => (&self.process.sends, send),
            Message::Receive(receive) => (&self.process.receives, receive),
        };
        ends[end as usize].channel.map(|channel| ends.groups.key(channel).communicator)
    }

    /// Books the wait in a call that completes messages, and counts the contradictions with its clock: of all its
    /// messages only the largest wait counts, and a late sender goes before a late receiver.
    pub(crate) fn judge_call(&self, completions: &[Completion], account: &mut Account) {
        let Account { ledger, histories, violations, .. } = account;
        let process = self.process;
        let call = process.calls[completions[0].call as usize];
        let history = histories.entry(call.place.location).or_default();
        let mut late_sender = (0, None);
        let mut late_receiver = (0, None);
        for &Completion { message, .. } in completions {
            match message {
                Message::Receive(receive) => {
                    let Some((peer, sender)) = self.sender(receive) else { continue };
                    violations.check(call.enter, call.leave, sender.enter);
                    history.received(peer.rank, sender.enter, ledger);
                    let wait = sender.enter.min(call.leave).saturating_sub(call.enter);
                    if call.kind.may_wait_for_sender() && wait > late_sender.0 {
                        late_sender = (wait, Some((message, peer.rank, sender)));
                    }
                }
                Message::Send(send) => {
                    let Some((_, receiver)) = self.receiver(send) else { continue };
                    let start = process.calls[process.sends[send as usize].start as usize];
                    if start.kind == CallKind::Synchronous {
                        violations.check(call.enter, call.leave, receiver.enter);
                    }
                    // A send that returned before its receive was posted was not held up by it. One that returned in
                    // the same tick was: a machine without latency, as in an ideal trace, returns at once.
                    let was_held = call.kind.may_wait_for_receiver()
                        && receiver.kind != CallKind::Lost
                        && call.leave >= receiver.enter;
                    let wait = receiver.enter.saturating_sub(call.enter);
                    if was_held && wait > late_receiver.0 {
                        late_receiver = (wait, Some((message, receiver)));
                    }
                }
            }
        }
        match (late_sender, late_receiver) {
            ((wait, Some((message, source, send))), _) => {
                let (communicator, begin, place) = (self.communicator(message), call.enter, call.place);
                let (sent, sender) = (send.enter, send.place.location);
                ledger.points.message(WaitState::LateSender, &call, send, wait);
                let late =
                    LateReceive { sent, source, sender, communicator, begin, wait, place, stop: call.stop };
                history.push(late, ledger);
            }
            (_, (wait, Some((message, receiver)))) => {
                ledger.points.message(WaitState::LateReceiver, &call, receiver, wait);
                let awaited = Some(receiver.place.location);
                let (communicator, from) = (self.communicator(message), (call.enter, awaited));
                ledger.add_from(from, WaitState::LateReceiver, call.place, wait, communicator);
            }
            _ => {}
        }
    }
}
