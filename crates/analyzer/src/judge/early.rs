//! Late senders that a thread waits for before the call that completes the receive: in probes, and in tests.
//!
//! Requests that are tested side by side are waited for at the same time, which counts once: for the request that is
//! complete first, and for another as far as it is longer. Of the receives that a call completes, only the longest
//! such wait counts.

use ats_model::WaitState;

use crate::{
    judge::{account::Account, point_to_point::Messages},
    records::{Completion, EarlyWait, Message, MpiCall},
    words::regions::CallKind,
};

/// A wait of a call's receives.
#[derive(Clone, Copy)]
struct Found<'a> {
    ticks: u64,
    early: &'a EarlyWait,
    end: u64,
    message: Message,
    send: &'a MpiCall,
}

impl Messages<'_> {
    /// Books the waits before a call that completes receives.
    pub(crate) fn judge_early(&self, completions: &[Completion], account: &mut Account) {
        let Account { ledger, tested, .. } = account;
        let call = &self.process.calls[completions[0].call as usize];
        let mut longest: [Option<Found<'_>>; 2] = [None; 2];
        for &Completion { message, .. } in completions {
            let Message::Receive(receive) = message else { continue };
            for number in self.early.for_receive(receive) {
                let early = &self.process.early[number as usize];
                let Some((_, send)) = self.sender(receive) else { continue };
                if send.kind == CallKind::Mistimed {
                    continue;
                }
                // From there on the completing call waits itself.
                let last = if call.kind == CallKind::Test { call.leave } else { call.enter };
                let end = send.enter.min(early.end).min(last);
                let is_test = early.state == WaitState::LateSenderInTest;
                let counted = tested.get(&call.owner).filter(|_| is_test).copied().unwrap_or_default();
                let ticks = early.away.time_outside(&counted, (early.begin, end));
                let longest = &mut longest[usize::from(is_test)];
                if longest.is_none_or(|longest| ticks > longest.ticks) {
                    *longest = Some(Found { ticks, early, end, message, send });
                }
            }
        }
        for Found { ticks, early, end, message, send } in longest.into_iter().flatten() {
            let from = (early.begin, Some(send.place.location));
            ledger.add_message(from, early.state, early.place, ticks, self.waited_for(message));
            if early.state == WaitState::LateSenderInTest && ticks > 0 {
                tested.entry(call.owner).or_default().push(early.begin, end);
            }
        }
    }
}
