//! Overheads and efficiencies of published tables, of programs in virtual time, and of profiles made by hand.

mod agreement;
mod clocks;
mod common;
mod comparison;
mod division;
mod efficiency;
mod explanation;
mod gate;
mod overheads;
mod properties;
mod random;
mod scalea;
mod talp;
mod waits;
