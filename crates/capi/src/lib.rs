//! The suite for C and Fortran programs: `libats`, as shared and as static library, with the report's functions
//! (sections 3.1.1 to 3.1.5), and every property of MPI or of one process of the catalogue with its balanced twin.
//!
//! A function's signature and documentation are the source of its line in the header and in the Fortran module; those
//! of the properties come from the catalogue. A program may leave everything around its properties to the suite's
//! harness (`ats_begin` to `ats_end`), or be one of its own, which initialises MPI and owns its communicators. A call
//! that fails ends all ranks with a message: nothing ever unwinds into C.
//!
//! Without the feature `mpi` it is a library for programs of threads alone or of one process: it has nothing with a
//! communicator, and needs no MPI library.

mod argument;
mod distribution;
mod failure;
#[cfg(feature = "mpi")]
mod mpi;
mod openmp;
mod program;
mod ranks;
mod sequential;
mod text;
mod work;
