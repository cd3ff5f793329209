//! Overheads and efficiencies of published tables, of programs in virtual time, and of profiles made by hand.

mod clocks;
mod common;
mod division;
mod efficiency;
mod explanation;
mod overheads;
mod properties;
mod random;
mod scalea;
mod talp;
mod waits;
