//! Predictions for changed programs, judged by the programs' own runs: the document `ats-what-if-score/1`.

use serde::{Deserialize, Serialize};

/// `ats-what-if-score/1`: how far off predictions are.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WhatIfScore {
    /// The schema's name, `ats-what-if-score/1`.
    pub schema: String,
    /// The name of what predicts: `ats`, or the simulator's.
    pub predictor: String,
    /// Its version, where it says it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// The changes of all programs.
    pub changes: Vec<JudgedChange>,
    /// The number of predictions by their verdict.
    pub totals: WhatIfTotals,
}

/// A prediction, and what became of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct JudgedChange {
    /// The property, twin or composition.
    pub program: String,
    /// The number of ranks.
    pub ranks: u32,
    /// The number of threads of each.
    pub threads: u32,
    /// The kind of change.
    pub kind: KindOfChange,
    /// The change as options of `ats what-if`.
    pub options: Vec<String>,
    /// The prediction and the truth, unless the change is undefined.
    #[serde(flatten, default, skip_serializing_if = "Option::is_none")]
    pub times: Option<JudgedTimes>,
    /// The verdict.
    pub verdict: VerdictOnChange,
    /// The reason for a change that is undefined.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Parts of the program that the predictor leaves out, in words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub losses: Vec<String>,
}

/// A prediction beside the truth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct JudgedTimes {
    /// The predicted wall time in seconds.
    pub predicted: f64,
    /// The wall time of the changed program in seconds.
    pub truth: f64,
    /// The prediction's distance from the truth, as a share of that: of the wall time, or, if all locations are predicted, of
    /// the end of the location that is farthest off; positive if it is too late.
    pub difference: f64,
}

/// The kinds of changes that have a truth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum KindOfChange {
    /// Work takes half of its time; the truth is the program with its times halved.
    Speed,
    /// A run on one network is replayed on another; the truth is the run on the other.
    Network,
    /// Ranks share processors; the truth is the run on them.
    Processors,
    /// The work of a region is shared evenly; the truth is the twin.
    EvenWork,
}

/// The verdict on a prediction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum VerdictOnChange {
    /// It is the truth, within the predictor's rounding.
    Exact,
    /// It is not.
    Off,
    /// No trace tells what the changed program does, or the predictor cannot express it.
    Undefined,
}

/// Predictions by their verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WhatIfTotals {
    /// Those that are the truth.
    pub exact: usize,
    /// Those that are not.
    pub off: usize,
    /// Those that are undefined.
    pub undefined: usize,
}

impl WhatIfScore {
    /// The value of [`WhatIfScore::schema`].
    pub const SCHEMA: &str = "ats-what-if-score/1";

    /// The judgements of a predictor, with their totals.
    pub fn new(predictor: String, version: Option<String>, changes: Vec<JudgedChange>) -> Self {
        let count = |verdict| changes.iter().filter(|change| change.verdict == verdict).count();
        let totals = WhatIfTotals {
            exact: count(VerdictOnChange::Exact),
            off: count(VerdictOnChange::Off),
            undefined: count(VerdictOnChange::Undefined),
        };
        WhatIfScore { schema: WhatIfScore::SCHEMA.to_owned(), predictor, version, changes, totals }
    }
}
