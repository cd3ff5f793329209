#![allow(unsafe_code, reason = "defines functions of MPI, which the program calls in place of the library's")]
//! The functions of MPI as the program sees them. Those that move messages or make communicators are written here by
//! kind; for all others the build script writes wrappers that record entering and leaving.
//!
//! `MPI_Pcontrol`, `MPI_Wtime`, `MPI_Wtick` and the conversions of handles are left alone.

mod collective;
mod communicator;
mod completion;
mod environment;
mod point_to_point;

mod generated {
    use mpi::ffi::{self, *};

    use crate::call::calls;

    include!(concat!(env!("OUT_DIR"), "/generated.rs"));
}
