//! Launches programs, computes the truth, runs the analyzer, scores.
