//! The problems of a run, as they are listed beside its timeline.

use serde::{Deserialize, Serialize};

use super::Locations;

/// The problems of a run, with their causes and advice.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Explanation {
    /// The efficiency of the run, and the seconds that are lost, in words.
    pub efficiency: String,
    /// The problems, by falling seconds.
    pub problems: Vec<Problem>,
    /// The reason that there are none, in words.
    pub no_problem: String,
    /// Limits of what the trace tells, and of what is listed, in words.
    pub notes: Vec<String>,
}

/// Waits with one origin.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Problem {
    /// The name of the cause that fits best, for people.
    pub cause: String,
    /// The problem and the advice, in words.
    pub text: String,
    /// Seconds lost, over all locations.
    pub seconds: f64,
    /// The same as a share of the location-seconds.
    pub share: f64,
    /// Its place in the source, if the trace has it: `src/heat.c:12`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// The locations that the others wait for.
    pub culprits: Group,
    /// The locations that wait: in the worst interval, if it is known.
    pub waiting: Group,
    /// The worst interval in which they wait, if single waits are known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub worst: Option<WorstInterval>,
}

/// Some locations.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Group {
    /// All of them in few words: `ranks 1-7`.
    pub words: String,
    /// Each of them.
    pub locations: Locations,
}

/// The worst of the intervals in which the same locations wait, in ticks since the first event of the timeline.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WorstInterval {
    /// Its begin.
    pub begin: u64,
    /// Its end.
    pub end: u64,
    /// The number of intervals that it is the worst of.
    pub number: u64,
}
