//! Events in memory, until they are written: packed into bytes, a tenth of what they take as they are.
//!
//! Memory is the dearest part of an event. The machine hands it out page by page, and where it is a virtual one whose
//! host has to find a page first, each costs 10 µs.

mod chunk;
mod form;

pub use chunk::Chunk;
