//! The member that makes a call.

use mpi::ffi::MPI_Comm;

/// A communicator's handle, and this process's place in it.
#[derive(Clone, Copy)]
pub(super) struct Member {
    pub(super) comm: MPI_Comm,
    pub(super) rank: usize,
    pub(super) size: usize,
    /// The number of places for neighbours that it receives from, and for those that it sends to; `None` without a topology.
    pub(super) degrees: Option<[usize; 2]>,
}
