#![allow(unsafe_code, reason = "handles of Open MPI are pointers, which Rust takes for thread-bound")]
//! Handles of the MPI library, and which threads may use them.

use std::fmt::Display;

use mpi::ffi;

use super::failure::tell;

/// A handle of MPI: a communicator, a request. Only a thread that may call MPI gets it out.
#[derive(Clone, Copy, Debug)]
pub(super) struct Handle<T>(T);

// SAFETY: a handle only names an object of the MPI library, and `for_call` yields it to no other threads than those that the
// granted thread level allows to call MPI.
unsafe impl<T: Copy> Send for Handle<T> {}
// SAFETY: as above.
unsafe impl<T: Copy> Sync for Handle<T> {}

impl<T: Copy> Handle<T> {
    pub(super) fn new(handle: T) -> Self {
        Handle(handle)
    }

    /// The handle, for a call.
    pub(super) fn for_call(&self, call: impl Display) -> T {
        require_thread(call);
        self.0
    }
}

/// Whether MPI is finalized: then no handle names an object any more.
pub(super) fn finalized() -> bool {
    let mut flag = 0;
    // SAFETY: allowed at any time; the flag is ours.
    unsafe { ffi::PMPI_Finalized(&mut flag) };
    flag != 0
}

/// Ends the process with a message if this thread may not make a call of MPI: below `MPI_THREAD_MULTIPLE` only the
/// main thread may. (In virtual time every thread may.) MPI is initialised.
fn require_thread(call: impl Display) {
    thread_local! {
        static MAY_CALL: bool = may_call();
    }
    if !MAY_CALL.with(|&may| may) {
        tell(format_args!(
            "{call}: called by a thread that is not the main thread of its process (MPI_THREAD_FUNNELED); \
             let the main thread call it"
        ));
        // Without MPI, which this thread may not call; the launcher ends the other ranks.
        std::process::abort();
    }
}

fn may_call() -> bool {
    let (mut level, mut is_main) = (0, 0);
    // SAFETY: every thread may ask this once MPI is initialised; the results are ours.
    unsafe {
        ffi::PMPI_Query_thread(&mut level);
        ffi::PMPI_Is_thread_main(&mut is_main);
        is_main != 0 || level == ffi::RSMPI_THREAD_MULTIPLE
    }
}
