//! Partners that have started their part of a message, and act on it only in their next call of MPI.

use crate::{
    judge::{
        account::Account,
        point_to_point::Messages,
        unacted::{Kind, Needs, Wait},
    },
    records::{Completion, Message, MpiCall},
    words::regions::CallKind,
};

impl Messages<'_> {
    /// Notes the wait in a call for the last of its partners to act. Up to `covered` it waits for something else, which
    /// has a name already.
    pub(crate) fn judge_progress(&self, completions: &[Completion], covered: u64, account: &mut Account) {
        let call = &self.process.calls[completions[0].call as usize];
        let mut waits = Vec::new();
        for &Completion { message, .. } in completions {
            let Some((kind, partner)) = self.kind(message) else { continue };
            if partner.kind == CallKind::Lost {
                continue;
            }
            if self.proceeded(call, message, partner) {
                account.unacted.proceeded.note(kind);
            }
            let may_wait = match kind.needs {
                Needs::Sender => call.kind.may_wait_for_sender(),
                Needs::Receiver | Needs::Answer => call.kind.may_wait_for_receiver(),
            };
            // Who returned before the partner acted did not wait for that.
            if !may_wait || call.leave < partner.next {
                continue;
            }
            let begin = partner.enter.max(covered);
            let ticks = partner.next.saturating_sub(begin);
            let message = self.waited_for(message);
            waits.push(Wait { kind, ticks, begin, awaited: partner.place.location, message });
        }
        account.unacted.keep(call.place, waits, account.ledger.waits.are_kept());
    }

    /// The kind of a message, and the call that starts its other part.
    fn kind(&self, message: Message) -> Option<(Kind, &MpiCall)> {
        let (needs, end, (peer, partner)) = match message {
            Message::Receive(receive) => {
                (Needs::Sender, self.process.receives[receive as usize], self.sender(receive)?)
            }
            Message::Send(send) => {
                let end = self.process.sends[send as usize];
                let is_synchronous = self.process.calls[end.start as usize].kind == CallKind::Synchronous;
                let needs = if is_synchronous { Needs::Answer } else { Needs::Receiver };
                (needs, end, self.receiver(send)?)
            }
            Message::Collective(_) => return None,
        };
        let is_on_one_node = self.process.node.is_some() && self.process.node == peer.node;
        Some((Kind { needs, bytes: end.bytes, is_on_one_node }, partner))
    }

    /// Whether a message that this call completes has proceeded without its partner: it has left in standard mode before
    /// its receive began, or was received after the call that sent it, and before the sender's next.
    fn proceeded(&self, call: &MpiCall, message: Message, partner: &MpiCall) -> bool {
        let start = |end: u32| &self.process.calls[end as usize];
        match message {
            Message::Send(send) => {
                let start = start(self.process.sends[send as usize].start);
                start.kind == CallKind::Plain && call.leave < partner.enter
            }
            Message::Receive(receive) => {
                let start = start(self.process.receives[receive as usize].start);
                start.enter >= partner.leave && call.leave < partner.next && partner.next != u64::MAX
            }
            Message::Collective(_) => false,
        }
    }
}
