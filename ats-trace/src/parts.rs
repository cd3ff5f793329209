//! A recording in parts: what each of many processes defines, and how that becomes one archive.
//!
//! Processes that come to their end agree on definitions and write one archive together. A process that is ended before
//! leaves its events in its own numbers, and beside them `definitions.RANK.json`, its [`Part`], with what the numbers mean.
//! [`join`] makes an archive of the parts, later and from outside.

#[cfg(feature = "archives")]
mod join;
mod local;
#[cfg(feature = "archives")]
mod markers;
mod merge;
mod part;

#[cfg(feature = "archives")]
pub use join::{Joined, join};
pub use local::{Identity, Local, LocalCommunicator, LocalRegion, Owner, PREDEFINED};
#[cfg(feature = "archives")]
pub use markers::{marked_ranks, said_by_markers};
pub use merge::{Maps, merge};
pub use part::Part;
