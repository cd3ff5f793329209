//! Costs of programs at sizes and on machines that nobody has run them on, with bounds.
//!
//! - [`fit`] turns points into models, and models into predictions with intervals.
//! - [`memory`] turns references to memory into the misses of every cache.

pub mod fit;
pub mod memory;
