//! Generated programs as texts.

mod native;
mod programs;
