//! Forms of traces that simulators of networks read.

use serde::{Deserialize, Serialize};

/// A form of traces that a simulator reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum TraceForm {
    /// A time-independent trace of SimGrid: `trace.txt`, which lists a file for each rank.
    Smpi,
    /// A schedule in GOAL, LogGOPSim's text: `trace.goal`.
    Goal,
}
