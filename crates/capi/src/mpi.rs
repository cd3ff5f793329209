//! Functions that need an MPI library: communicators and types, buffers, patterns, and the properties of the
//! catalogue.

mod buffer;
mod distribution;
mod fortran;
mod handle;
mod pattern;
mod property;
mod work;
