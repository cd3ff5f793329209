//! References of a process, and those of the trace.

use serde::{Deserialize, Serialize};

/// From one process's references to those of the trace.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Maps {
    /// By region of the process: the region of the trace.
    pub regions: Vec<u32>,
    /// By the process's numbers of [`calling_context`](crate::parts::calling_context): the calling contexts of the trace.
    #[serde(default)]
    pub contexts: Vec<u32>,
    /// Communicators, the predefined ones included.
    pub communicators: Vec<u32>,
    /// Metrics, those of the suite included; empty if there are no others.
    #[serde(default)]
    pub metrics: Vec<u32>,
    /// Teams of threads.
    pub teams: Vec<u32>,
    /// The string that names its program.
    pub programs: Vec<u32>,
    /// The number of communicators of the trace.
    pub all_communicators: usize,
}
