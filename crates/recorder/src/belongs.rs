#![allow(unsafe_code, reason = "makes PMPI calls through mpi::ffi")]
//! The processes and threads that belong to the recorded run: processes that the launcher has started together, and
//! threads that execute the program's own parallel regions.

use std::cell::Cell;
use std::ffi::c_int;

use mpi::ffi;

/// Whether `MPI_Comm_spawn` has started this process. The folder is then the one that its parents record into. MPI has
/// been initialised.
pub(crate) fn is_spawned() -> bool {
    // SAFETY: a constant of the library, then the place for the result.
    unsafe {
        let mut parent = ffi::RSMPI_COMM_NULL;
        ffi::PMPI_Comm_get_parent(&mut parent);
        parent != ffi::RSMPI_COMM_NULL
    }
}

thread_local! {
    static ANNOUNCED: Cell<bool> = const { Cell::new(false) };
}

/// `ompt_thread_t`: the thread comes from the program, or works in teams. Others are the runtime's helpers.
const INITIAL: c_int = 1;
const WORKER: c_int = 2;

/// Notes that the OpenMP runtime announces this thread as one of this type.
pub(crate) fn announce(thread_type: c_int) {
    ANNOUNCED.set(matches!(thread_type, INITIAL | WORKER));
}

/// Whether this thread, which the OpenMP runtime uses, belongs to the program. LLVM's runtime starts one for `target
/// nowait` that it never announces; the parallel region that this thread begins is the runtime's, too.
pub(crate) fn thread_does() -> bool {
    ANNOUNCED.get()
}
