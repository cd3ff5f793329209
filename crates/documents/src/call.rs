//! Time by call, as profiles have it.

use serde::{Deserialize, Serialize};

/// A call path or call site of a profile.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Call {
    /// Region names, as many as the tool knows, from the outermost to the call.
    pub call_path: Vec<String>,
    /// The time that each location spent there; locations that were never there are omitted.
    pub locations: Vec<CallShare>,
}

/// One location's share of a [`Call`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CallShare {
    /// Rank in `MPI_COMM_WORLD`.
    pub rank: u32,
    /// Thread in its process; the master is 0.
    #[serde(default)]
    pub thread: u32,
    /// Seconds in the call and all that it calls.
    pub inclusive_time: f64,
    /// The number of entries, if the tool counts them.
    pub visits: Option<u64>,
}
