//! How found and known compare: the document `ats-validation/1`.

mod expectation;
mod totals;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use self::expectation::{Expectation, Grade, Judgement, Outcome, Severities};
pub use self::totals::{Interval, Intrusiveness, Rates, SeverityError, Totals};
use crate::Finding;

/// `ats-validation/1`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Validation {
    /// `ats-validation/1`.
    pub schema: String,
    /// One entry per program that was to be run.
    pub programs: Vec<ProgramResult>,
    /// Sums and rates over all programs.
    pub totals: Totals,
    /// Versions, command lines, machine: what a reader needs to repeat it.
    pub environment: BTreeMap<String, serde_json::Value>,
}

impl Validation {
    /// The value of [`Validation::schema`].
    pub const SCHEMA: &str = "ats-validation/1";
}

/// What became of one program.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ProgramResult {
    /// The program's name.
    pub program: String,
    /// Its parameters, as text.
    pub parameters: BTreeMap<String, String>,
    /// How many processes it had.
    pub ranks: u32,
    /// How many threads each.
    pub threads: u32,
    /// How its run ended; its last one, where it was run again.
    pub run_status: RunStatus,
    /// Why, where `run_status` is not `ok`; else what else there is to know of the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// How often it was run; what is said here is of the last time.
    #[serde(default = "once")]
    pub runs: u32,
    /// Those of the runs that the machine disturbed, in their order; the last run is among them where it was disturbed, too.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub disturbed: Vec<Disturbance>,
    /// What the run says of itself (affinity, kind of work, seed …), as its rank 0 knows it; what all programs say
    /// alike is in `environment.run` of the document.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub environment: BTreeMap<String, serde_json::Value>,
    /// One judgement for everything the truth lists.
    pub expectations: Vec<Expectation>,
    /// False alarms: reported, above the threshold, known neither to the truth nor as ambient.
    pub unexpected: Vec<Finding>,
    /// Reported, and known though no tool is asked for it: what belongs to the harness, of which those whose amount nobody
    /// knows are marked so, and blocked time that is of no wait state, under a name that may stand for it.
    pub ambient: Vec<Finding>,
    /// Reported, not planted, and confirmed by the run's own witness: the machine's noise, rightly reported.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub noise: Vec<Finding>,
    /// Seconds of all false alarms.
    pub false_seconds: f64,
    /// Kendall's tau-b between observed and found seconds: whether they are in the right order. Null where there are not
    /// two expectations to be ordered.
    #[serde(default)]
    pub kendall_tau: Option<f64>,
}

fn once() -> u32 {
    1
}

/// What the machine did to a run, by the run's own witness, or to its trace.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Disturbance {
    /// What it did.
    pub cause: Cause,
    /// How much: of waits that nobody planned, as a share of the time of all locations; of those that were planned, as a share
    /// of the plan; of messages and collective operations that are over before they can be, as a share of them all; of the time
    /// between two stamps of one moment, as a share of the time of all locations.
    pub share: f64,
    /// The folder in which all that the run has left is kept, where the program was run again for it; none of a run that
    /// counts, which lies where every program's does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder: Option<String>,
}

impl Disturbance {
    /// What the machine did, and what became of the run, in a sentence.
    pub fn in_words(&self) -> String {
        let share = format!("{:.2} %", self.share * 100.0);
        let what = match self.cause {
            Cause::Noise => format!("waits that nobody planned took {share} of all locations' time"),
            Cause::Deviation => format!("a wait was {share} longer or shorter than planned"),
            Cause::Clocks => format!(
                "the clocks of the trace contradict each other: {share} of messages and collective operations are over too early"
            ),
            Cause::Interruption => format!(
                "processes lost their core while their calls were stamped: trace and witness are apart by {share} of all locations' \
                 time, which explains all that is wrong"
            ),
        };
        match &self.folder {
            Some(folder) => format!("{what}; run again, and this run is kept in {folder}"),
            None => what,
        }
    }

    /// Whether the program was run again for it.
    pub fn was_run_again(&self) -> bool {
        self.folder.is_some()
    }
}

/// How a machine disturbs a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    /// There were waits that nobody planned.
    Noise,
    /// A wait was longer or shorter than planned; by half or more where it is not manifested.
    Deviation,
    /// The clocks of the trace contradict each other, as its recorder measured them: waits between processes that a tool finds in
    /// it may be wrong.
    Clocks,
    /// A process lost its core between the stamp of a call in the trace and the witness's own of the same moment, for so long that
    /// all that is wrong may be wrong for that.
    Interruption,
}

impl Cause {
    /// Whether it makes time stamps wrong, so that what is found in the trace may be wrong through no fault of who finds it.
    pub fn falsifies_stamps(self) -> bool {
        match self {
            Cause::Clocks | Cause::Interruption => true,
            Cause::Noise | Cause::Deviation => false,
        }
    }
}

/// How a run ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RunStatus {
    /// It ran and was analyzed.
    #[default]
    Ok,
    /// It could not be built or started.
    NotStarted,
    /// It ended with an error or was killed.
    Crashed,
    /// It did not end in time.
    Timeout,
    /// It ran, but left no readable trace or witness.
    ParseError,
    /// It ran, and there is no report of it.
    NoReport,
    /// It ran, and there are several reports of it, of which one is meant.
    SeveralReports,
    /// Its report is of another run: it has ranks that this one did not have.
    OtherRun,
    /// The program had done all that it does, and something kept it from ending in time.
    HungAtExit,
    /// It ended well, and left a core: something in it crashed.
    LeftCore,
    /// Something in it wanted a terminal, and there is none.
    WantedTerminal,
    /// It ran, but computed or communicated something else than by itself.
    SemanticsChanged,
    /// The tool does not know programs of its kind, so that it was not run.
    Unsupported,
    /// It was not run, or not to its end, because the user wanted no more.
    Cancelled,
}

impl RunStatus {
    /// In words.
    pub fn label(self) -> &'static str {
        match self {
            RunStatus::Ok => "ok",
            RunStatus::NotStarted => "not started",
            RunStatus::Crashed => "crashed",
            RunStatus::Timeout => "timeout",
            RunStatus::ParseError => "unreadable",
            RunStatus::NoReport => "no report",
            RunStatus::SeveralReports => "several reports",
            RunStatus::OtherRun => "report of another run",
            RunStatus::HungAtExit => "hung at exit",
            RunStatus::LeftCore => "left a core",
            RunStatus::WantedTerminal => "wanted a terminal",
            RunStatus::SemanticsChanged => "semantics changed",
            RunStatus::Unsupported => "unsupported",
            RunStatus::Cancelled => "cancelled",
        }
    }
}
