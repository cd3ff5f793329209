#![allow(unsafe_code, reason = "handles of Open MPI are pointers, which Rust takes for thread-bound")]
//! Handles of the MPI library.

/// A handle of MPI: a communicator, a request.
#[derive(Clone, Copy, Debug)]
pub(super) struct Handle<T>(pub(super) T);

// SAFETY: a handle only names an object of the MPI library, which allows its use from every thread that the granted
// thread level allows to call MPI at all.
unsafe impl<T> Send for Handle<T> {}
// SAFETY: as above.
unsafe impl<T> Sync for Handle<T> {}
