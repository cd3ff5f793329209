//! Launches programs, computes the truth, runs the analyzer, scores.

pub mod ideal_trace;
pub mod truth;
