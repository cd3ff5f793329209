//! Transfers that need their processes, taken up when these are in a call.

use crate::kernel::state::Kernel;
use crate::kernel::time::Picoseconds;
use crate::mpi::instance::Leaver;
use crate::mpi::mailbox::Posted;
use crate::mpi::message::Message;
use crate::mpi::operation::Done;
use crate::mpi::progress::{InCalls, Member, Transfer, Transfers};
use crate::mpi::state::Mpi;

impl Mpi {
    /// A message that is not eager has found its receive: its processes have to act.
    pub(super) fn transfer_in_calls(&mut self, receiver: u32, message: &Message, posted: &Posted) {
        let begins = message.arrives.max(posted.posted.saturating_add(self.costs.overhead));
        // The call that posts the receive finds the message, if that is there.
        let is_answered = message.arrives <= posted.posted;
        let transfer = Transfer { message: *message, posted: *posted, receiver, is_answered };
        let Some(in_calls) = &mut self.in_calls else { return };
        let number = in_calls.keep(Transfers::Message(transfer));
        in_calls.due.push(begins, 0, number);
    }

    /// A member of a collective operation waits for no other any more: its process has to act.
    #[inline(never)]
    pub(super) fn rounds_in_calls(&mut self, process: u32, leaver: Leaver) {
        let Leaver { waiter, done, rounds } = leaver;
        let begins = done.at.saturating_sub(rounds.duration).saturating_sub(self.costs.overhead);
        let Some(in_calls) = &mut self.in_calls else { return };
        let member = Member { process, operation: waiter.operation, rounds, done };
        let number = in_calls.keep(Transfers::Member(member));
        in_calls.due.push(begins, 0, number);
    }

    /// The next transfer needs a process, now.
    pub(crate) fn act(&mut self, kernel: &mut Kernel<'_>) {
        let Some(in_calls) = &mut self.in_calls else { return };
        let Some((now, number)) = in_calls.due.pop() else { return };
        match in_calls.transfers[number as usize] {
            Some(Transfers::Message(transfer)) => self.act_on_message(kernel, number, now, transfer),
            Some(Transfers::Member(member)) => self.act_as_member(kernel, number, now, member),
            None => {}
        }
    }

    fn act_on_message(&mut self, kernel: &mut Kernel<'_>, number: u32, now: Picoseconds, transfer: Transfer) {
        let Transfer { message, posted, receiver, is_answered } = transfer;
        let Some(in_calls) = &mut self.in_calls else { return };
        // A short message has come with its envelope: only its receiver has to answer.
        let is_short = message.bytes <= self.costs.eager_limit;
        if !(is_answered && is_short) {
            let process = if is_answered { message.sender } else { receiver };
            if !in_calls.acts(process, number, now) {
                return;
            }
            if !is_answered {
                let answered = Transfer { is_answered: true, ..transfer };
                in_calls.transfers[number as usize] = Some(Transfers::Message(answered));
                return in_calls.due.push(now, 0, number);
            }
        }
        in_calls.forget_transfers(number);
        let transfer = self.costs_between(message.sender, receiver).transfer(message.bytes);
        let at = now.saturating_add(transfer);
        self.transferred(kernel, receiver, &message, &posted, at);
    }

    /// The member begins its next transfer.
    fn act_as_member(&mut self, kernel: &mut Kernel<'_>, number: u32, now: Picoseconds, mut member: Member) {
        let Some(in_calls) = &mut self.in_calls else { return };
        if !in_calls.acts(member.process, number, now) {
            return;
        }
        let ends = now.saturating_add(member.rounds.next());
        if member.rounds.number > 0 {
            in_calls.transfers[number as usize] = Some(Transfers::Member(member));
            return in_calls.due.push(ends, 0, number);
        }
        in_calls.forget_transfers(number);
        let Member { process, operation, done, .. } = member;
        let at = ends.saturating_add(self.costs.overhead);
        self.done(kernel, process, operation, Done { at, ..done });
    }
}

impl InCalls {
    /// Whether the process that transfers need now is in a call. Otherwise they are due again when it is.
    fn acts(&mut self, process: u32, number: u32, now: Picoseconds) -> bool {
        let presence = &mut self.processes[process as usize];
        match presence.next(now) {
            None => presence.awaiting.push(number),
            Some(later) if later > now => self.due.push(later, 0, number),
            Some(_) => return true,
        }
        false
    }
}
