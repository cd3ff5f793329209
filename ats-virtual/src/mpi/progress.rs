//! Progress inside of calls alone: a process takes its part in a transfer only while it is in a call of MPI.
//!
//! Which part is due, and when, is an agenda of its own. All operations start in the order of time then: when a part is
//! due, every process is in a call, has entered a later one already, or enters its next call at no earlier time.

use crate::kernel::agenda::Agenda;
use crate::kernel::state::Kernel;
use crate::kernel::time::Picoseconds;
use crate::mpi::mailbox::Posted;
use crate::mpi::message::Message;
use crate::mpi::state::Mpi;

/// Transfers that need their processes, and the calls that these are in.
#[derive(Default)]
pub(crate) struct InCalls {
    /// By process.
    processes: Vec<Presence>,
    transfers: Vec<Option<Transfer>>,
    /// Numbers of transfers that are free.
    free: Vec<u32>,
    /// The transfers that need a process, by when they do.
    due: Agenda<u32>,
}

/// A message that has found its receive, and that is not transferred before its processes act.
#[derive(Clone, Copy, Debug)]
struct Transfer {
    message: Message,
    posted: Posted,
    receiver: u32,
    /// Whether the receiver knows of the message; then it is the sender's turn.
    is_answered: bool,
}

/// The calls of MPI that a process is in, or enters later than what happens now.
#[derive(Default)]
struct Presence {
    calls: Vec<Call>,
    /// The transfers that need the process, which is in no call.
    awaiting: Vec<u32>,
}

struct Call {
    location: u32,
    enter: Picoseconds,
    /// The end of time while it lasts.
    leave: Picoseconds,
}

impl Presence {
    /// When, from this time on, the process is in a call first; `None` if it has not entered that yet. Nobody asks for
    /// an earlier time again. A call that is left at the time that it is entered does nothing for others.
    fn next(&mut self, time: Picoseconds) -> Option<Picoseconds> {
        self.calls.retain(|call| call.leave > time);
        self.calls.iter().map(|call| call.enter.max(time)).min()
    }
}

impl InCalls {
    /// For so many processes.
    pub(crate) fn of(ranks: usize) -> Self {
        let mut in_calls = InCalls::default();
        in_calls.processes.resize_with(ranks, Presence::default);
        in_calls
    }

    fn keep(&mut self, transfer: Transfer) -> u32 {
        let number = self.free.pop().unwrap_or_else(|| {
            self.transfers.push(None);
            self.transfers.len() as u32 - 1
        });
        self.transfers[number as usize] = Some(transfer);
        number
    }

    /// A location of a process enters a call.
    pub(crate) fn entered(&mut self, process: usize, location: u32, now: Picoseconds) {
        let presence = &mut self.processes[process];
        presence.calls.push(Call { location, enter: now, leave: Picoseconds::MAX });
        for transfer in presence.awaiting.drain(..) {
            self.due.push(now, 0, transfer);
        }
    }

    /// A location of a process leaves its call.
    pub(crate) fn left(&mut self, process: usize, location: u32, now: Picoseconds) {
        let calls = &mut self.processes[process].calls;
        if let Some(call) = calls.iter_mut().rev().find(|call| call.location == location) {
            call.leave = now;
        }
    }

    /// Nothing happens in a process before this time any more.
    pub(crate) fn forget(&mut self, process: usize, before: Picoseconds) {
        self.processes[process].calls.retain(|call| call.leave >= before);
    }

    /// When the next transfer needs a process.
    pub(crate) fn next_time(&self) -> Option<Picoseconds> {
        self.due.next_time()
    }
}

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
