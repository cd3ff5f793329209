//! An operation of MPI: a send, a receive, or a part of a collective operation.

use ats_mpi::{SendMode, Source, Tag};

use crate::kernel::time::Picoseconds;
use crate::mpi::rules::Cause;
use crate::mpi::starts::StartNumber;

/// An operation that a process has prepared or started.
#[derive(Clone, Debug)]
pub(crate) struct Operation {
    pub(crate) kind: OperationKind,
    pub(crate) group: u32,
    /// The location that waits for it right now.
    pub(crate) awaited_by: Option<u32>,
    pub(crate) persistent: bool,
    /// Whether it is a message in partitions, which only such an operation takes.
    pub(crate) partitioned: bool,
    /// Its last start, if partners may ask for it.
    pub(crate) start: Option<StartNumber>,
    /// The time that its process needs to pack its message, or to unpack it, if that is of a derived type.
    pub(crate) packing: Picoseconds,
    pub(crate) progress: Progress,
}

impl Operation {
    /// The send is started, and its message goes when its partitions are ready.
    pub(crate) fn is_to_be_ready(&mut self) {
        self.progress = Progress::Started;
        if let OperationKind::Send { message, .. } = &mut self.kind {
            *message = 0;
        }
    }

    /// The root of a collective operation has come; a sender that is done already did not wait for it until now.
    pub(crate) fn root_came(&mut self, group: u32, number: u32, now: Picoseconds) {
        let is_it = matches!(self.kind, OperationKind::Collective { instance, .. } if instance == number);
        if let Progress::Done(done) = &mut self.progress
            && is_it
            && self.group == group
        {
            done.partner = Some(now);
        }
    }
}

/// The kind of an operation.
#[derive(Clone, Copy, Debug)]
pub(crate) enum OperationKind {
    /// The message has the number 0 until it is sent.
    Send {
        mode: SendMode,
        to: u32,
        tag: u32,
        bytes: usize,
        message: u64,
    },
    Recv {
        from: Source,
        tag: Tag,
        capacity: usize,
    },
    Collective {
        instance: u32,
        cause: Option<Cause>,
    },
}

/// The progress of an operation.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Progress {
    /// Prepared, not started (persistent requests).
    Inactive,
    Started,
    Done(Done),
}

/// The end of an operation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Done {
    /// When, at the earliest, its call can return.
    pub(crate) at: Picoseconds,
    /// The time when the partner did its part: began the send, posted the receive, or came last.
    pub(crate) partner: Option<Picoseconds>,
    /// The start of the partner's operation, if that is not a call that waits.
    pub(crate) start: Option<StartNumber>,
    /// When the first member left (collectives).
    pub(crate) earliest_end: Picoseconds,
    pub(crate) received: Received,
}

/// A member that waits in a collective operation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Waiter {
    pub(crate) location: u32,
    /// The number of its operation.
    pub(crate) operation: u32,
    pub(crate) rank: u32,
    pub(crate) begun: Picoseconds,
}

/// A request that was tested in vain.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tested {
    /// The location that has tested it.
    pub(crate) location: u32,
    /// The number of the polling, for a receive.
    pub(crate) poll: Option<u32>,
}

/// The message that a completed operation was about; all zero where it was none.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Received {
    /// Rank of the sender in the communicator.
    pub(crate) source: u32,
    pub(crate) tag: u32,
    pub(crate) bytes: usize,
}
