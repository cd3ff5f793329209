//! The suite as programs in C and Fortran use it.

mod conformance;
mod generated;
mod interface;
mod programs;
mod suite;
mod threads;
