//! Launches programs, computes the truth, runs the analyzer, scores.

pub mod judge;
pub mod score;
