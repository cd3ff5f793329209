//! The suite as programs in C and Fortran use it.

mod conformance;
mod interface;
mod programs;
mod suite;
mod threads;
