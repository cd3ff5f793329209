//! Generated programs, run.

mod common;
mod programs;
mod threads;
