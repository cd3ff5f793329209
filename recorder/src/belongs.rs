#![allow(unsafe_code, reason = "makes PMPI calls through mpi::ffi")]
//! Which processes belong to the run that is recorded: those that the launcher has started together.

use mpi::ffi;

/// Whether `MPI_Comm_spawn` has started this process. The folder is then the one that its parents record into. MPI has been
/// initialised.
pub(crate) fn is_spawned() -> bool {
    // SAFETY: a constant of the library, then the place for the result.
    unsafe {
        let mut parent = ffi::RSMPI_COMM_NULL;
        ffi::PMPI_Comm_get_parent(&mut parent);
        parent != ffi::RSMPI_COMM_NULL
    }
}
