//! Transfers that need their processes, taken up when these are in a call.

use crate::kernel::state::Kernel;
use crate::mpi::mailbox::Posted;
use crate::mpi::message::Message;
use crate::mpi::progress::Transfer;
use crate::mpi::state::Mpi;

impl Mpi {
    /// A message that is not eager has found its receive: its processes have to act.
    pub(super) fn transfer_in_calls(&mut self, receiver: u32, message: &Message, posted: &Posted) {
        let begins = message.arrives.max(posted.posted.saturating_add(self.costs.overhead));
        // The call that posts the receive finds the message, if that is there.
        let is_answered = message.arrives <= posted.posted;
        let transfer = Transfer { message: *message, posted: *posted, receiver, is_answered };
        let Some(in_calls) = &mut self.in_calls else { return };
        let number = in_calls.keep(transfer);
        in_calls.due.push(begins, 0, number);
    }

    /// The next transfer needs a process, now.
    pub(crate) fn act(&mut self, kernel: &mut Kernel<'_>) {
        let Some(in_calls) = &mut self.in_calls else { return };
        let Some((now, number)) = in_calls.due.pop() else { return };
        let Some(transfer) = in_calls.transfers[number as usize] else { return };
        let Transfer { message, posted, receiver, is_answered } = transfer;
        // A short message has come with its envelope: only its receiver has to answer.
        let is_short = message.bytes <= self.costs.eager_limit;
        if !(is_answered && is_short) {
            let presence =
                &mut in_calls.processes[if is_answered { message.sender } else { receiver } as usize];
            match presence.next(now) {
                None => return presence.awaiting.push(number),
                Some(later) if later > now => return in_calls.due.push(later, 0, number),
                Some(_) if !is_answered => {
                    in_calls.transfers[number as usize] = Some(Transfer { is_answered: true, ..transfer });
                    return in_calls.due.push(now, 0, number);
                }
                Some(_) => {}
            }
        }
        in_calls.transfers[number as usize] = None;
        in_calls.free.push(number);
        let at = now.saturating_add(self.costs.transfer(message.bytes));
        self.transferred(kernel, receiver, &message, &posted, at);
    }
}
