#![allow(unsafe_code, reason = "declares functions of the MPI library")]
//! The MPI library's own functions, as its `mpi.h` declares them. They call the program's error handlers and other
//! callbacks, whose exceptions pass through them and through the wrappers.

use mpi::ffi::*;

include!(concat!(env!("OUT_DIR"), "/pmpi.rs"));
