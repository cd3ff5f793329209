//! Agreement of the clocks of a trace's processes, and the correction applied if they disagree.

use serde::{Deserialize, Serialize};

/// Agreement of the clocks of the processes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ClockCorrection {
    /// The source of the times that waits are computed from.
    pub method: ClockMethod,
    /// Violations of causality by the times of the trace, as it measured its clocks.
    pub before: ClockViolations,
    /// Violations of causality by the corrected times.
    pub after: ClockViolations,
    /// The clock derived for each process, by rank; empty if nothing, or nothing valid, was derived.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub processes: Vec<ProcessClock>,
}

/// The source of the times that waits are computed from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ClockMethod {
    /// The times of the trace: its processes share a clock, or it measured how their clocks differ.
    Recorded,
    /// The times of the trace, corrected by the bounds that messages and collective operations put on the clocks.
    Derived,
    /// None that can be compared: a wait is by how much longer a call takes than that of its partner.
    Durations,
}

/// Messages that are received before they are sent, and collective operations that are left before they can be over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ClockViolations {
    /// The number of ends of messages and collective operations that were checked.
    pub checked: u64,
    /// The number of checked ends that are too early.
    pub violated: u64,
    /// By how many seconds the worst one is.
    pub worst: f64,
    /// By how many seconds all of them are together.
    pub total: f64,
    /// Whether the violations are so large, compared with the time in those calls, that waits between processes may be
    /// wrong.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub contradict: bool,
}

/// The clock of a process. Its reading *t* seconds after its first event is corrected by `offset` + `drift` × *t*.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ProcessClock {
    /// Rank in `MPI_COMM_WORLD`.
    pub rank: u32,
    /// Correction at the first event, in seconds.
    pub offset: f64,
    /// In seconds per second.
    pub drift: f64,
    /// The evidence that it was derived from.
    pub evidence: ClockEvidence,
}

/// The evidence that a clock was derived from.
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
