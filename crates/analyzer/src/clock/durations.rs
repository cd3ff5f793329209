//! Waits if clocks cannot be compared: the begins of two calls that end together differ by as much as their durations.
//!
//! Completion times and the order of messages are not known then, and not counted.

use ats_model::WaitState;

use crate::{
    judge::{
        ledger::{Ledger, WaitedFor},
        point_to_point::Messages,
    },
    records::{Completion, Message},
};

/// Books the excess of a call that completes messages over those of its peers. As in `point_to_point`,
/// only the largest wait of a call counts, and a late sender goes before a late receiver.
pub(crate) fn judge_call(messages: &Messages<'_>, completions: &[Completion], ledger: &mut Ledger) {
    let call = messages.process.calls[completions[0].call as usize];
    let mut late_sender = (0, None);
    let mut late_receiver = (0, None);
    for completion in completions {
        let (peer, largest, is_possible) = match completion.message {
            Message::Receive(receive) => {
                (messages.sender(receive), &mut late_sender, call.kind.may_wait_for_sender())
            }
            Message::Send(send) => {
                (messages.receiver(send), &mut late_receiver, call.kind.may_wait_for_receiver())
            }
            // Members start it at times of their own.
            Message::Collective(_) => continue,
        };
        let Some((_, peer)) = peer else { continue };
        let wait = call.duration().saturating_sub(peer.duration());
        if is_possible && peer.kind.has_times() && wait > largest.0 {
            *largest = (wait, Some(messages.waited_for(completion.message)));
        }
    }
    let (state, (wait, message)) = match late_sender {
        (0, _) => (WaitState::LateReceiver, late_receiver),
        _ => (WaitState::LateSender, late_sender),
    };
    if let Some(WaitedFor { communicator, .. }) = message {
        ledger.add(state, call.place, wait, communicator);
    }
}
