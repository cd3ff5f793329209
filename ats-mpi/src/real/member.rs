//! The member that makes a call.

use mpi::ffi::MPI_Comm;

/// A communicator's handle, and this process's place in it.
#[derive(Clone, Copy)]
pub(super) struct Member {
    pub(super) comm: MPI_Comm,
    pub(super) rank: usize,
    pub(super) size: usize,
}
