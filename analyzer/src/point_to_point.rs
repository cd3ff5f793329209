//! Late senders and late receivers.
//!
//! Both ends of a channel are lists in MPI's order, so the *k*-th send belongs to the *k*-th receive. Each process
//! looks up the other end of its own messages and judges its own calls; no process writes what another reads.

use ats_model::{WaitState, messages::Channel};

use crate::{
    calls::CallKind,
    clock::Violations,
    damage::{Damage, Damages},
    ledger::Ledger,
    process::{Completion, Message, MessageEnd, Process},
    processes::Processes,
    wrong_order::{History, LateReceive},
};

/// The other end of a message: the call that sends it or posts its receive.
#[derive(Clone, Copy)]
pub(crate) struct Peer {
    pub(crate) channel: Channel,
    pub(crate) enter: u64,
    /// In ticks.
    pub(crate) duration: u64,
    pub(crate) kind: CallKind,
}

impl Peer {
    pub(crate) fn new(channel: Channel, peer: &Process, end: MessageEnd) -> Self {
        let call = peer.calls[end.start as usize];
        Peer { channel, enter: call.enter, duration: call.duration(), kind: call.kind }
    }
}

/// The other ends of the messages of a process.
pub(crate) struct Peers {
    /// By receive.
    pub(crate) senders: Vec<Option<Peer>>,
    /// By send.
    pub(crate) receivers: Vec<Option<Peer>>,
}

impl Peers {
    pub(crate) fn new(processes: &Processes, process: &Process, damages: &mut Damages) -> Self {
        Peers {
            senders: senders(processes, process, damages),
            receivers: receivers(processes, process, damages),
        }
    }
}

/// Books the waits of one process in its calls that complete messages, and counts what its clock contradicts. The
/// `history` is of the calls before those of `completions`.
pub(crate) fn judge(
    process: &Process,
    completions: &[Completion],
    peers: &Peers,
    history: &mut History,
    ledger: &mut Ledger,
    violations: &mut Violations,
) {
    for completions in completions.chunk_by(|a, b| a.call == b.call) {
        judge_call(process, completions, peers, history, ledger, violations);
    }
}

/// One call: of all its messages only the largest wait counts, and a late sender goes before a late receiver.
fn judge_call(
    process: &Process,
    completions: &[Completion],
    peers: &Peers,
    history: &mut History,
    ledger: &mut Ledger,
    violations: &mut Violations,
) {
    let call = process.calls[completions[0].call as usize];
    let mut late_sender = (0, None);
    let mut late_receiver = (0, None);
    for completion in completions {
        match completion.message {
            Message::Receive(receive) => {
                let Some(sender) = peers.senders[receive as usize] else { continue };
                violations.check(call.enter, call.leave, sender.enter);
                history.received(sender.channel.from, sender.enter);
                let wait = sender.enter.min(call.leave).saturating_sub(call.enter);
                if call.kind.may_wait_for_sender() && wait > late_sender.0 {
                    late_sender = (wait, Some(sender));
                }
            }
            Message::Send(send) => {
                let Some(receiver) = peers.receivers[send as usize] else { continue };
                if process.calls[process.sends[send as usize].start as usize].kind == CallKind::Synchronous {
                    violations.check(call.enter, call.leave, receiver.enter);
                }
                // A send that returned before its receive was posted was not held up by it. One that returned in the
                // same tick was: a machine without latency, as in an ideal trace, returns at once.
                let was_held = call.kind.may_wait_for_receiver()
                    && receiver.kind != CallKind::Lost
                    && call.leave >= receiver.enter;
                let wait = receiver.enter.saturating_sub(call.enter);
                if was_held && wait > late_receiver.0 {
                    late_receiver = (wait, Some(receiver.channel.communicator));
                }
            }
        }
    }
    match late_sender {
        (wait, Some(Peer { channel, enter: sent, .. })) => {
            let Channel { from: source, communicator, .. } = channel;
            let late = LateReceive { sent, source, communicator, begin: call.enter, wait, place: call.place };
            history.push(late, ledger);
        }
        _ => {
            let (wait, communicator) = late_receiver;
            ledger.add_from(call.enter, WaitState::LateReceiver, call.place, wait, communicator);
        }
    }
}

/// For each receive of a process, when its message was sent.
fn senders(processes: &Processes, process: &Process, damages: &mut Damages) -> Vec<Option<Peer>> {
    let mut peers = vec![None; process.receives.len()];
    for (receive, sender) in processes.senders(process) {
        let end = process.receives[receive as usize];
        match sender {
            Some((peer, send)) => {
                let peer = &processes.list()[peer];
                let channel = end.channel.map(|channel| process.receives_by_channel.key(channel));
                peers[receive as usize] =
                    channel.map(|channel| Peer::new(channel, peer, peer.sends[send as usize]));
            }
            None => unmatched(process, end, Damage::ReceiveNotSent, damages),
        }
    }
    peers
}

/// For each send of a process, when its receive was posted.
fn receivers(processes: &Processes, process: &Process, damages: &mut Damages) -> Vec<Option<Peer>> {
    let mut peers = vec![None; process.sends.len()];
    for (send, receiver) in processes.receivers(process) {
        let end = process.sends[send as usize];
        match receiver {
            Some((peer, receive)) => {
                let peer = &processes.list()[peer];
                let channel = end.channel.map(|channel| process.sends_by_channel.key(channel));
                peers[send as usize] =
                    channel.map(|channel| Peer::new(channel, peer, peer.receives[receive as usize]));
            }
            None => unmatched(process, end, Damage::SendNotReceived, damages),
        }
    }
    peers
}

fn unmatched(process: &Process, end: MessageEnd, damage: Damage, damages: &mut Damages) {
    let call = process.calls[end.start as usize];
    damages.add(damage, call.place.location as usize, call.enter);
}
