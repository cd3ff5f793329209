//! Late senders and late receivers.
//!
//! Both ends of a channel are lists in MPI's order, so the *k*-th send belongs to the *k*-th receive. Each process
//! looks up the other end of its own messages and judges its own calls; no process writes what another reads.

use ats_model::WaitState;

use crate::{
    calls::CallKind,
    damage::{Damage, Damages},
    ledger::Ledger,
    process::{Channel, Completion, Message, MessageEnd, Process},
    processes::Processes,
    wrong_order::{History, LateReceive},
};

/// The other end of a message: when its call was entered.
#[derive(Clone, Copy)]
struct Peer {
    channel: Channel,
    enter: u64,
}

/// Books the waits of one process in its calls that complete messages.
pub(crate) fn judge(processes: &Processes, process: &Process, ledger: &mut Ledger, damages: &mut Damages) {
    let senders = senders(processes, process, damages);
    let receivers = receivers(processes, process, damages);
    let mut history = History::default();
    for completions in process.completions.chunk_by(|a, b| a.call == b.call) {
        judge_call(process, completions, &senders, &receivers, &mut history, ledger);
    }
    history.finish(ledger);
}

/// One call: of all its messages only the largest wait counts, and a late sender goes before a late receiver.
fn judge_call(
    process: &Process,
    completions: &[Completion],
    senders: &[Option<Peer>],
    receivers: &[Option<Peer>],
    history: &mut History,
    ledger: &mut Ledger,
) {
    let call = process.calls[completions[0].call as usize];
    let mut late_sender = (0, None);
    let mut late_receiver = (0, None);
    for completion in completions {
        match completion.message {
            Message::Receive(receive) => {
                let Some(sender) = senders[receive as usize] else { continue };
                history.received(sender.channel.from, sender.enter);
                let wait = sender.enter.min(call.leave).saturating_sub(call.enter);
                if call.kind != CallKind::Test && wait > late_sender.0 {
                    late_sender = (wait, Some(sender));
                }
            }
            Message::Send(send) => {
                let Some(receiver) = receivers[send as usize] else { continue };
                // A send that returned before its receive was posted was not held up by it. One that returned in the
                // same tick was: a machine without latency, as in an ideal trace, returns at once.
                let was_held = call.kind == CallKind::Plain && call.leave >= receiver.enter;
                let wait = receiver.enter.saturating_sub(call.enter);
                if was_held && wait > late_receiver.0 {
                    late_receiver = (wait, Some(receiver.channel.communicator));
                }
            }
        }
    }
    match late_sender {
        (wait, Some(Peer { channel, enter: sent })) => {
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
    for (channel, receives) in process.receives_by_channel.iter() {
        let peer = processes.of_rank(channel.from);
        let sends = peer.map_or(&[][..], |peer| peer.sends_by_channel.of(channel));
        for (&receive, &send) in receives.iter().zip(sends) {
            peers[receive as usize] =
                peer.map(|peer| Peer { channel, enter: enter_of(peer, &peer.sends, send) });
        }
        for &receive in receives.iter().skip(sends.len()) {
            unmatched(process, process.receives[receive as usize], Damage::ReceiveNotSent, damages);
        }
    }
    peers
}

/// For each send of a process, when its receive was posted.
fn receivers(processes: &Processes, process: &Process, damages: &mut Damages) -> Vec<Option<Peer>> {
    let mut peers = vec![None; process.sends.len()];
    for (channel, sends) in process.sends_by_channel.iter() {
        let peer = processes.of_rank(channel.to);
        let receives = peer.map_or(&[][..], |peer| peer.receives_by_channel.of(channel));
        for (&send, &receive) in sends.iter().zip(receives) {
            peers[send as usize] =
                peer.map(|peer| Peer { channel, enter: enter_of(peer, &peer.receives, receive) });
        }
        for &send in sends.iter().skip(receives.len()) {
            unmatched(process, process.sends[send as usize], Damage::SendNotReceived, damages);
        }
    }
    peers
}

fn enter_of(process: &Process, ends: &[MessageEnd], end: u32) -> u64 {
    process.calls[ends[end as usize].start as usize].enter
}

fn unmatched(process: &Process, end: MessageEnd, damage: Damage, damages: &mut Damages) {
    let call = process.calls[end.start as usize];
    damages.add(damage, call.place.location as usize, call.enter);
}
