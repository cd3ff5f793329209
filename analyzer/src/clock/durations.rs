//! Waits where clocks cannot be compared: two calls that end together have begun as far apart as their durations differ.
//!
//! What is not known then is not counted: completion times, and the order of messages.

use ats_model::WaitState;

use crate::{
    calls::CallKind,
    ledger::Ledger,
    point_to_point::Peers,
    process::{Completion, Message, Process},
};

/// Books what the calls of a process that complete messages take longer than those of their peers.
pub(crate) fn judge(process: &Process, completions: &[Completion], peers: &Peers, ledger: &mut Ledger) {
    for completions in completions.chunk_by(|a, b| a.call == b.call) {
        judge_call(process, completions, peers, ledger);
    }
}

/// As in `point_to_point`, only the largest wait of a call counts, and a late sender goes before a late receiver.
fn judge_call(process: &Process, completions: &[Completion], peers: &Peers, ledger: &mut Ledger) {
    let call = process.calls[completions[0].call as usize];
    let mut late_sender = (0, None);
    let mut late_receiver = (0, None);
    for completion in completions {
        let (peer, largest, is_possible) = match completion.message {
            Message::Receive(receive) => {
                (peers.senders[receive as usize], &mut late_sender, call.kind.may_wait_for_sender())
            }
            Message::Send(send) => {
                (peers.receivers[send as usize], &mut late_receiver, call.kind.may_wait_for_receiver())
            }
        };
        let Some(peer) = peer.filter(|peer| is_possible && peer.kind != CallKind::Lost) else { continue };
        let wait = call.duration().saturating_sub(peer.duration);
        if wait > largest.0 {
            *largest = (wait, Some(peer.channel.communicator));
        }
    }
    let (state, (wait, communicator)) = match late_sender {
        (0, _) => (WaitState::LateReceiver, late_receiver),
        _ => (WaitState::LateSender, late_sender),
    };
    ledger.add(state, call.place, wait, communicator);
}
