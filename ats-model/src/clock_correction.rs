//! How the clocks of a trace's processes agree, and what was done where they do not.

use serde::{Deserialize, Serialize};

/// How the clocks of the processes agree.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ClockCorrection {
    /// Where the times come from that waits are computed with.
    pub method: ClockMethod,
    /// What is impossible by the times of the trace, as it measured its clocks.
    pub before: ClockViolations,
    /// What is impossible by the corrected times.
    pub after: ClockViolations,
    /// What was derived of the clock of each process, by rank; empty where nothing was derived, or nothing that holds.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub processes: Vec<ProcessClock>,
}

/// Where the times come from that waits are computed with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ClockMethod {
    /// The times of the trace: its processes share a clock, or it measured how their clocks differ.
    Recorded,
    /// The times of the trace, corrected by what messages and collective operations tell of the clocks.
    Derived,
    /// None that can be compared: a wait is by how much longer a call takes than that of its partner.
    Durations,
}

/// Messages that are received before they are sent, and collective operations that are left before they can be over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ClockViolations {
    /// How many ends of messages and collective operations were looked at.
    pub checked: u64,
    /// How many of them are too early.
    pub violated: u64,
    /// By how many seconds the worst one is.
    pub worst: f64,
    /// By how many seconds all of them are together.
    pub total: f64,
    /// Whether that is so much of the time in those calls that waits between processes may be wrong.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub contradict: bool,
}

/// The clock of a process. What it shows *t* seconds after its first event is corrected by `offset` + `drift` × *t*.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ProcessClock {
    /// Rank in `MPI_COMM_WORLD`.
    pub rank: u32,
    /// In seconds.
    pub offset: f64,
    /// In seconds per second.
    pub drift: f64,
    /// What it was derived from.
    pub evidence: ClockEvidence,
}

/// What a clock was derived from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ClockEvidence {
    /// Nothing: it is the clock that those of the linked processes are brought to.
    Reference,
    /// Messages or collective operations that bound it from both sides.
    BothSides,
    /// Such as bound it from one side only: it is as near to them as they let it be, or where calls are likely to end together.
    OneSide,
}
