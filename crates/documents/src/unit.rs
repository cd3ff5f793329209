//! Locations by their numbers: a part of several documents.

use serde::{Deserialize, Serialize};

/// A location: a thread of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ProcessingUnit {
    /// Rank in `MPI_COMM_WORLD`.
    pub rank: u32,
    /// Thread in its process; the master is 0.
    pub thread: u32,
    /// The node that it runs on, if known: an index into `nodes`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub node: Option<u32>,
}
