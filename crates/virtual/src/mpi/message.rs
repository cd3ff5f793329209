//! A message between two processes.

use crate::kernel::time::Picoseconds;
use crate::mpi::starts::StartNumber;

/// A message on its way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Message {
    pub(crate) number: u64,
    pub(crate) group: u32,
    /// Rank of its sender in the communicator.
    pub(crate) source: u32,
    pub(crate) tag: u32,
    pub(crate) bytes: usize,
    /// Rank of its sender among all.
    pub(crate) sender: u32,
    /// The sender's operation.
    pub(crate) operation: u32,
    pub(crate) eager: bool,
    /// Whether it was sent in partitions.
    pub(crate) partitioned: bool,
    pub(crate) sent: Picoseconds,
    pub(crate) arrives: Picoseconds,
    /// The start of its send, if that is not a call that waits.
    pub(crate) start: Option<StartNumber>,
}
