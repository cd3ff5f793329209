//! Generated programs, run.

mod common;
mod programs;
mod rayon;
mod threads;
