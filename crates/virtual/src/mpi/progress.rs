//! Progress inside of calls alone: a process takes its part in a transfer only while it is in a call of MPI.
//!
//! An agenda of its own has the parts that are due. All operations start in the order of time then: when a part is due,
//! every process is in a call, has entered a later one already, or enters its next call at no earlier time.

use crate::kernel::agenda::Agenda;
use crate::kernel::time::Picoseconds;
use crate::mpi::costs::Rounds;
use crate::mpi::mailbox::Posted;
use crate::mpi::message::Message;
use crate::mpi::operation::Done;

/// Transfers that need their processes, and the calls that these are in.
#[derive(Default)]
pub(crate) struct InCalls {
    /// By process.
    pub(crate) processes: Vec<Presence>,
    pub(crate) transfers: Vec<Option<Transfers>>,
    /// Numbers of transfers that are free.
    pub(crate) free: Vec<u32>,
    /// The transfers that need a process, by when they do.
    pub(crate) due: Agenda<u32>,
}

/// Transfers that are not made before their processes act.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Transfers {
    Message(Transfer),
    Member(Member),
}

/// A member of a collective operation that waits for no other any more.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Member {
    pub(crate) process: u32,
    /// The number of its operation.
    pub(crate) operation: u32,
    /// The transfers that it has to begin.
    pub(crate) rounds: Rounds,
    /// The end of its operation, but for the time.
    pub(crate) done: Done,
}

/// A message that has found its receive, and that is not transferred before its processes act.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Transfer {
    pub(crate) message: Message,
    pub(crate) posted: Posted,
    pub(crate) receiver: u32,
    /// Whether the receiver knows of the message; then it is the sender's turn.
    pub(crate) is_answered: bool,
}

/// The calls of MPI that a process is in, or enters later than what happens now.
#[derive(Default)]
pub(crate) struct Presence {
    calls: Vec<Call>,
    /// The transfers that need the process, which is in no call.
    pub(crate) awaiting: Vec<u32>,
}

struct Call {
    location: u32,
    enter: Picoseconds,
    /// The end of time while it lasts.
    leave: Picoseconds,
}

impl Presence {
    /// When, from this time on, the process is in a call first; `None` if it has not entered that yet. Later
    /// questions are about later times. A call that is left at the time that it is entered does nothing for others.
    pub(crate) fn next(&mut self, time: Picoseconds) -> Option<Picoseconds> {
        self.calls.retain(|call| call.leave > time);
        self.calls.iter().map(|call| call.enter.max(time)).min()
    }
}

impl InCalls {
    /// For so many processes.
    pub(crate) fn new(ranks: usize) -> Self {
        let mut in_calls = InCalls::default();
        in_calls.processes.resize_with(ranks, Presence::default);
        in_calls
    }

    pub(crate) fn keep(&mut self, transfers: Transfers) -> u32 {
        let number = self.free.pop().unwrap_or_else(|| {
            self.transfers.push(None);
            self.transfers.len() as u32 - 1
        });
        self.transfers[number as usize] = Some(transfers);
        number
    }

    /// The transfers of this number are made.
    pub(crate) fn forget_transfers(&mut self, number: u32) {
        self.transfers[number as usize] = None;
        self.free.push(number);
    }

    /// A location of a process enters a call.
    pub(crate) fn enter(&mut self, process: usize, location: u32, now: Picoseconds) {
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
