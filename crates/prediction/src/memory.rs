//! Misses of caches of every size, from the distances between references to the same line.
//!
//! A cache that replaces the line which was not used for longest misses a reference if its capacity is not above the number of
//! other lines that were used since: the stack distance. So the histogram of the distances gives the misses of all capacities
//! from one pass over a trace of references (Mattson and others 1970).
//!
//! - [`Lackey`] reads traces of valgrind's lackey, [`Traced`] is a program that runs under it.
//! - [`Distances`] counts stack distances, [`Histogram`] and [`Misses`] are what follows from them.
//! - [`Symbols`] are the functions of a program, and [`SimulatedCache`] is one cache, reference by reference.
//! - [`analyze`] makes the document `ats-memory/1`.

mod cache;
mod distances;
mod document;
mod histogram;
mod lackey;
mod pass;
mod symbols;
mod valgrind;

pub use cache::SimulatedCache;
pub use distances::Distances;
pub use document::{MemoryError, Options, analyze};
pub use histogram::{Histogram, Misses};
pub use lackey::{End, Kind, Lackey, Reference, WrongLine};
pub use symbols::{OTHER, Symbols, SymbolsError};
pub use valgrind::{Traced, ValgrindError};
