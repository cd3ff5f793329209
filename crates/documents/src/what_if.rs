//! Changes of a run, judged by running its trace again: the document `ats-whatif/1`.

use ats_model::{CallSite, WaitState};
use serde::{Deserialize, Serialize};

use crate::efficiencies::Factor;
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
    /// The source of the eager limit, in words, if it was not told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub eager_limit_from: Option<String>,
    /// Limits of the answers, in words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// The run without changes.
    pub before: StateOfRun,
    /// Seconds of the run if all locations did an equal part of its computing, and nothing else took time. No change that
    /// leaves the work as it is makes the run shorter.
    #[serde(default)]
    pub floor: f64,
    /// The changes, each alone; with several, the last answer is for all of them. Those of the run's own problems are in the
    /// order of what they gain.
    pub answers: Vec<WhatIfAnswer>,
    /// Seconds of the run with changes for its own problems taken together, one after the other: with the first, with the
    /// first two, and so on. Empty if they were not asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub together: Vec<f64>,
    /// The prediction of a simulator of networks for the run without other changes than the network.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub simulated: Option<SimulatedRun>,
}

/// The prediction of a simulator of networks.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SimulatedRun {
    /// The simulator.
    pub simulator: String,
    /// Its version, where it says it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// The network, in the words of `--network`.
    pub network: String,
    /// The predicted seconds from begin to end.
    pub seconds: f64,
    /// Seconds that a replay on the same network takes.
    pub replayed: f64,
    /// Parts of the run that the simulator is not told, in words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub losses: Vec<String>,
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
    /// The parallel efficiency and its factors, as in `ats-efficiencies/1`: each is the product of those below it.
    #[serde(default)]
    pub factors: Vec<Factor>,
    /// The waits, by falling seconds.
    #[serde(default)]
    pub waits: Vec<WaitsOfKind>,
    /// The call paths with at least [`StateOfRun::LEAST_OF_PATH`] of the critical path, by falling seconds.
    #[serde(default)]
    pub critical_path: Vec<OnCriticalPath>,
}

/// The waits of a kind.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WaitsOfKind {
    /// The kind.
    pub property: WaitState,
    /// Seconds, over all locations.
    pub seconds: f64,
}

/// A call path on the critical path.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OnCriticalPath {
    /// The names of its regions from the outermost inwards; empty outside all regions.
    pub call_path: Vec<String>,
    /// The call site of its innermost call, if the trace has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call_site: Option<CallSite>,
    /// Seconds of the critical path that are in it alone.
    pub seconds: f64,
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

impl StateOfRun {
    /// The least share of the critical path of a call path that is listed.
    pub const LEAST_OF_PATH: f64 = 0.01;
}

impl WhatIf {
    /// The value of [`WhatIf::schema`].
    pub const SCHEMA: &str = "ats-whatif/1";
}
