//! The suite for C and Fortran programs: `libats`, as shared and as static library, with the report's functions
//! (sections 3.1.1 to 3.1.5) and every MPI property of the catalogue with its balanced twin.
//!
//! A function's signature and documentation are the source of its line in the header and in the Fortran module; those
//! of the properties come from the catalogue. A program may leave what is around its properties to the suite's harness
//! (`ats_begin` to `ats_end`), or be one of its own, which initialises MPI and owns its communicators. A call that goes
//! wrong ends all ranks with a message: nothing ever unwinds into C.

mod argument;
mod buffer;
mod distribution;
mod failure;
mod fortran;
mod handle;
mod openmp;
mod pattern;
mod program;
mod property;
mod work;
