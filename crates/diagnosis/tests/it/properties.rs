//! Properties give what JavaPSL's definitions say, and files that are wrong are refused with a place.

mod columns;
mod common;
mod files;
mod meta;
mod paper;
mod shipped;
mod simulated;
