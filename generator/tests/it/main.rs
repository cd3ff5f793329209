//! Generated programs as texts.

mod kinds;
mod native;
mod programs;
mod shared;
