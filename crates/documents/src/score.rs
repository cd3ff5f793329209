//! Results of a tool on programs with known truth: the document `ats-score/1`.

mod counted;
mod expectation;
mod run;
mod spread;
mod totals;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub use self::expectation::{Expectation, ExpectationSpread, Grade, Judgement, Outcome, Severities};
pub use self::run::{Cause, Disturbance, RunStatus};
pub use self::spread::Spread;
pub use self::totals::{Interval, Intrusiveness, Rates, SeverityError, Totals};
use crate::Finding;

/// The document `ats-score/1`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Score {
    /// The schema's name, `ats-score/1`.
    pub schema: String,
    /// The tool, as its description names it.
    pub tool: String,
    /// Its version, where it says it.
    pub version: Option<String>,
    /// Its options, besides those of its description.
    pub options: Vec<String>,
    /// `sha256:` and the hash of the nominal truths in canonical JSON: the questions put to the tool.
    pub truth_hash: String,
    /// One entry per program.
    pub programs: Vec<ProgramResult>,
    /// Sums and rates over all programs, each as it usually went.
    pub totals: Totals,
    /// The rates of the single repeats, by their names in [`Score::totals`]; empty if nothing was repeated.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub repeats: BTreeMap<String, Spread>,
    /// Versions, command lines, machine, time: everything needed to repeat it.
    pub environment: BTreeMap<String, serde_json::Value>,
}

impl Score {
    /// The value of [`Score::schema`].
    pub const SCHEMA: &str = "ats-score/1";

    /// The tool, with its version if that is known.
    pub fn title(&self) -> String {
        let version = self.version.as_ref().map(|version| format!(" {version}"));
        self.tool.clone() + &version.unwrap_or_default()
    }
}

/// The result of one program, over all its repeats.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ProgramResult {
    /// The program's name.
    pub program: String,
    /// Its parameters, as text.
    pub parameters: BTreeMap<String, String>,
    /// The number of its processes.
    pub ranks: u32,
    /// The number of threads in each.
    pub threads: u32,
    /// The end of its run: of the last one, if it was run again; the usual one of the repeats.
    pub run_status: RunStatus,
    /// The reason, if `run_status` is not `ok`; else further remarks on the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// The number of judged runs.
    pub repeats: u32,
    /// The number of runs made for that: runs disturbed by the machine are repeated, and the last one is judged.
    #[serde(default)]
    pub runs: u32,
    /// Those of the runs that the machine disturbed, in their order; a judged run is among them where it was disturbed, too.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub disturbed: Vec<Disturbance>,
    /// Facts about the first judged run (affinity, kind of work, seed …), as its rank 0 knows them; facts common to all programs
    /// are in `environment.run` of the document.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub environment: BTreeMap<String, serde_json::Value>,
    /// One judgement for everything the truth lists.
    pub expectations: Vec<Expectation>,
    /// False alarms: reported, above the threshold, known neither to the truth nor as ambient; those of the repeat with
    /// the median of false seconds.
    pub unexpected: Vec<Finding>,
    /// Findings of that repeat that are known although no tool has to report them: those of the harness, marked if their
    /// amount is unknown, and blocked time without a wait state, under a name that may stand for it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ambient: Vec<Finding>,
    /// Findings of that repeat that were not planted, and that the run's own witness confirms: the machine's noise,
    /// rightly reported.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub noise: Vec<Finding>,
    /// Seconds of all false alarms, the median over the repeats.
    pub false_seconds: f64,
    /// Kendall's tau-b between observed and found seconds: whether they are in the right order. Null if there are not
    /// two expectations to be ordered.
    #[serde(default)]
    pub kendall_tau: Option<f64>,
    /// The changes that the tool caused, if the program ran without it, too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub intrusiveness: Option<Intrusiveness>,
}
