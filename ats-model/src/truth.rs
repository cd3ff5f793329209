//! What a program is known to show: the document `ats-truth/1`.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Basis, Finding, WaitState};

/// `ats-truth/1`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Truth {
    /// `ats-truth/1`.
    pub schema: String,
    /// The program: a property's name, or its balanced twin's.
    pub program: String,
    /// Its parameters, as text.
    pub parameters: BTreeMap<String, String>,
    /// How many processes.
    pub ranks: u32,
    /// How many threads each.
    pub threads: u32,
    /// What severities are relative to.
    pub basis: Basis,
    /// All that a tool should find, by falling waiting time.
    pub findings: Vec<Finding>,
    /// Wait states that do not occur; a tool that reports one raises a false alarm.
    pub absent: Vec<WaitState>,
    /// Wait states outside the measured part that every such program shows (start-up, the skew that is left at its end),
    /// and what depends on the runtime: how many threads idle beside nested teams.
    pub ambient: Vec<Finding>,
    /// Per MPI call and OpenMP construct of the measured part, how often and how much.
    pub counts: BTreeMap<String, CallCount>,
    /// Per rank, how long before the last one it is done, in seconds.
    pub skew_left: Vec<f64>,
}

impl Truth {
    /// The value of [`Truth::schema`].
    pub const SCHEMA: &str = "ats-truth/1";
}

/// How often a call was made or a construct entered, over all locations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CallCount {
    /// Calls.
    pub calls: u64,
    /// Messages sent by these calls.
    pub messages: u64,
    /// Bytes sent by these calls.
    pub bytes: u64,
}
