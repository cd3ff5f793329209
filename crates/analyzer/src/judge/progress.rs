//! Partners that have started their part of a message, and act on it only in their next call of MPI.

use ats_model::WaitState;

use crate::{
    judge::{ledger::Ledger, point_to_point::Messages},
    records::{Completion, Message, MpiCall},
};

impl Messages<'_> {
    /// Books the wait in a call for the last of its partners to act. Up to `covered` it waits for something else, which
    /// has a name already.
    pub(crate) fn judge_progress(&self, completions: &[Completion], covered: u64, ledger: &mut Ledger) {
        let call = &self.process.calls[completions[0].call as usize];
        let mut latest: (u64, u64, Option<(Message, &MpiCall)>) = (0, 0, None);
        for &Completion { message, .. } in completions {
            let Some(start) = self.start_of_partner(call, message) else { continue };
            // Who returned before the partner acted did not wait for that.
            if !start.kind.has_times() || call.leave < start.next {
                continue;
            }
            let begin = start.enter.max(covered);
            let wait = start.next.saturating_sub(begin);
            if wait > latest.0 {
                latest = (wait, begin, Some((message, start)));
            }
        }
        if let (wait, begin, Some((message, start))) = latest {
            let from = (begin, Some(start.place.location));
            ledger.add_message(from, WaitState::LateProgress, call.place, wait, self.waited_for(message));
        }
    }

    /// The call that starts the other part of a message, if the call that completes this one may wait for it.
    fn start_of_partner(&self, call: &MpiCall, message: Message) -> Option<&MpiCall> {
        match message {
            Message::Receive(receive) if call.kind.may_wait_for_sender() => {
                self.sender(receive).map(|(_, start)| start)
            }
            Message::Send(send) if call.kind.may_wait_for_receiver() => {
                self.receiver(send).map(|(_, start)| start)
            }
            _ => None,
        }
    }
}
