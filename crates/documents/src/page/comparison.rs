//! The differences of two runs, and their timelines.

use serde::{Deserialize, Serialize};

use super::Timeline;
use crate::comparison::Measure;

/// A comparison of run B with run A.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Comparison {
    /// The unit of all amounts.
    pub measure: Measure,
    /// The sides, the whole difference, and the knowledge of the spread, in sentences.
    pub sentences: Vec<String>,
    /// The gains of changes, if B is A with the last of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub gains: Vec<Gain>,
    /// The seconds of the run with changes taken one after the other, and the least that it can take, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub together: Option<String>,
    /// Limits of what the runs tell, in words.
    pub notes: Vec<String>,
    /// Uses of time, the largest difference first, each with its places, and these with their root causes.
    pub differences: Vec<Difference>,
    /// The timelines of A and B.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timelines: Option<[Timeline; 2]>,
}

/// The run with a change, in words.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Gain {
    /// The change, as options of the command.
    pub change: String,
    /// The wall time.
    pub seconds: String,
    /// The seconds that it gains; empty of the run without changes.
    pub gain: String,
    /// The share of the location-seconds that is computing.
    pub efficiency: String,
    /// Lost location-seconds.
    pub lost: String,
}

/// A difference of a use of time, of a place in it, or of a root cause of its waits.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Difference {
    /// The number of differences that it is a part of: 0 for a use, 1 for a place, 2 for a root cause.
    pub depth: u32,
    /// Its name, with signatures cut.
    pub text: String,
    /// The same with all that was cut.
    pub whole: String,
    /// The amount of A.
    pub a: f64,
    /// The amount of B.
    pub b: f64,
    /// The difference as a share of the location-seconds of A.
    pub share: f64,
    /// The call path in A and in B, the names of its regions, the last one with its call site if only one fits; empty where
    /// it is not.
    pub paths: [Vec<String>; 2],
}
