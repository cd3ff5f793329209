//! A recording in parts: the definitions of each process, and their union in one archive.
//!
//! Processes that come to their end agree on definitions and write one archive together. A process that is ended
//! before leaves its events in its own numbers, and beside them its [`Part`], `definitions.RANK.json`, with the
//! meaning of the numbers. [`join`] makes an archive of the parts, later and from outside.

#[cfg(feature = "archives")]
mod join;
mod local;
#[cfg(feature = "archives")]
mod markers;
mod merge;
mod part;

#[cfg(feature = "archives")]
pub use join::{Joined, join};
pub use local::{
    Identity, Local, LocalCall, LocalCommunicator, LocalContext, LocalRegion, Owner, PREDEFINED,
    calling_context,
};
#[cfg(feature = "archives")]
pub use markers::{marked_ranks, said_by_markers};
pub use merge::merge;
pub use part::Part;

pub use crate::maps::Maps;
