//! Changes of a run, judged by running its trace again: the document `ats-whatif/1`.

use serde::{Deserialize, Serialize};

use crate::explanation::Division;

/// `ats-whatif/1`: what changes of a run gain.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WhatIf {
    /// The schema's name, `ats-whatif/1`.
    pub schema: String,
    /// The trace, as it was named.
    pub trace: String,
    /// Seconds from the first event of the trace to the last.
    pub recorded: f64,
    /// Seconds between the end of the trace and that of a replay without changes. A gain of less than twice this is none.
    pub error: f64,
    /// Seconds in calls that may wait for others while no record names these, over all locations. They take as long as
    /// they took, whatever is changed.
    pub not_followed: f64,
    /// The largest message in bytes that a standard send is taken to send without waiting.
    pub eager_limit: u64,
    /// Limits of the answers, in words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// The run without changes.
    pub before: StateOfRun,
    /// The changes, each alone; with several, the last answer is for all of them. Those of the run's own problems are in the
    /// order of what they gain.
    pub answers: Vec<WhatIfAnswer>,
}

/// A run, as its analysis describes it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StateOfRun {
    /// Seconds from the first event to the last.
    pub seconds: f64,
    /// The share of the location-seconds that is computing, if nothing of the unknown is lost.
    pub efficiency: f64,
    /// The location-seconds by their use.
    pub division: Division,
    /// The largest problem, in words: what limits the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

/// The gain of changes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WhatIfAnswer {
    /// The changes, as options of the command.
    pub changes: Vec<String>,
    /// The problem of the run whose advice this follows, in words, if it was not asked for by its changes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    /// The run with them.
    pub after: StateOfRun,
    /// Seconds that the run is shorter; negative if it is longer.
    pub gain: f64,
    /// Whether the gain is at least twice the error of a replay.
    pub is_certain: bool,
}

impl WhatIf {
    /// The value of [`WhatIf::schema`].
    pub const SCHEMA: &str = "ats-whatif/1";
}
