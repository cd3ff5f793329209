//! Judging from end to end.

mod agreement;
mod clocks;
mod pipeline;
mod reports;
