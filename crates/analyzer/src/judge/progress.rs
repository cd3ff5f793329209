//! Partners that have started their part of a message, and act on it only in their next call of MPI.

use crate::{
    judge::{
        account::Account,
        point_to_point::Messages,
        proceeded::{Class, Kind, Partner, Way},
        unacted::Wait,
    },
    records::{Completion, Message, MpiCall, process::Process},
    words::regions::CallKind,
};

/// A message that a call completes, as seen from one of its ends.
struct Part<'a> {
    kind: Kind,
    /// The call that starts it here.
    start: &'a MpiCall,
    /// The process of the other end.
    peer: &'a Process,
    /// The call that starts that.
    partner: &'a MpiCall,
}

impl Messages<'_> {
    /// Notes the wait in a call for the last of its partners to act, and the messages that have not needed theirs. Up to
    /// `covered` it waits for something else, which has a name already.
    pub(crate) fn judge_progress(&self, completions: &[Completion], covered: u64, account: &mut Account) {
        let call = &self.process.calls[completions[0].call as usize];
        let mut waits = Vec::new();
        for &Completion { message, .. } in completions {
            let Some(part) = self.part(message) else { continue };
            let Part { kind, partner, .. } = part;
            if !partner.kind.has_times() || !call.kind.has_times() {
                continue;
            }
            if self.has_proceeded(call, &part) {
                account.unacted.note(kind, part.peer.rank);
            }
            let may_wait = match kind.class.awaits {
                Partner::Sender => call.kind.may_wait_for_sender(),
                Partner::Receiver => call.kind.may_wait_for_receiver(),
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
        if !waits.is_empty() {
            account.unacted.keep(call.place, waits, &mut account.ledger.waits);
        }
    }

    fn part(&self, message: Message) -> Option<Part<'_>> {
        let process = self.process;
        let (awaits, end, (peer, partner)) = match message {
            Message::Receive(receive) => {
                (Partner::Sender, process.receives[receive as usize], self.sender(receive)?)
            }
            Message::Send(send) => (Partner::Receiver, process.sends[send as usize], self.receiver(send)?),
            Message::Collective(_) => return None,
        };
        let start = &process.calls[end.start as usize];
        let (sent_by, from, to) = match awaits {
            Partner::Sender => (partner.kind, peer.rank, process.rank),
            Partner::Receiver => (start.kind, process.rank, peer.rank),
        };
        let way = match (process.node, peer.node) {
            (Some(here), Some(there)) if here == there => Way::OneNode,
            (Some(_), Some(_)) => Way::BetweenNodes,
            _ => Way::Between { from, to },
        };
        Some(Part { kind: Kind::new(Class { awaits, sent_by, way }, end.bytes), start, peer, partner })
    }

    /// Whether a message that this call completes has proceeded without its partner. Either the partner was in no call of
    /// MPI from before this process acted until the message was complete; or it is sent before its receive is posted.
    fn has_proceeded(&self, call: &MpiCall, part: &Part<'_>) -> bool {
        let Part { kind: Kind { class, .. }, start, partner, .. } = part;
        if !start.kind.has_times() {
            return false;
        }
        let margin = if class.way == Way::OneNode { 0 } else { self.processes.clock_error() };
        let is_before = |time: u64, other: u64| time.saturating_add(margin) < other;
        let is_known = |next: u64| next != u64::MAX;
        // A receiver answers in the call that posts the receive if the message is announced by then.
        let is_out_meanwhile = class.awaits == Partner::Sender
            && is_before(start.leave, partner.enter)
            && is_known(start.next)
            && is_before(partner.leave, start.next);
        let acts_later = is_before(partner.leave, start.enter) || is_out_meanwhile;
        if acts_later && is_known(partner.next) && is_before(call.leave, partner.next) {
            return true;
        }
        class.awaits == Partner::Receiver
            && class.sent_by != CallKind::Synchronous
            && partner.kind != CallKind::MatchedReceive
            && is_before(call.leave, partner.enter)
    }
}
