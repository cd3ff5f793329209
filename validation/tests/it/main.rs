//! Judging from end to end.

mod agreement;
mod clocks;
mod entries;
mod ideal;
mod pipeline;
mod profile;
mod reports;
