//! Judging from end to end.

mod agreement;
mod clocks;
mod entries;
mod pipeline;
mod reports;
