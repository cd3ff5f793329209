//! Launches programs, computes the truth, runs the analyzer, scores.

pub mod judge;
pub mod launch;
pub mod mpi;
pub mod score;
