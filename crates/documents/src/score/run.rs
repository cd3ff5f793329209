//! The end of a run, and its disturbance by the machine.

use serde::{Deserialize, Serialize};

/// A disturbance of a run by the machine, according to the run's own witness, or of its trace.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Disturbance {
    /// The kind of disturbance.
    pub cause: Cause,
    /// Its extent: of unplanned waits, as a share of the time of all locations; of planned ones, as a share of the
    /// plan; of messages and collective operations that are over before they can be, as a share of them all; of the
    /// time between two stamps of one moment, as a share of the time of all locations.
    pub share: f64,
    /// The folder that keeps all files of the run, if the program was run again because of it; absent for a run that
    /// counts, which lies in the same place as every program's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder: Option<String>,
    /// Whether the program would have been run again for it, if any of the session's reruns had been left.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub out_of_reruns: bool,
}

impl Disturbance {
    /// The disturbance, and its effect on the run, in a sentence.
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
            None if self.out_of_reruns => format!("{what}; not run again, as no rerun is left"),
            None => what,
        }
    }

    /// Whether the program was run again for it.
    pub fn was_run_again(&self) -> bool {
        self.folder.is_some()
    }
}

/// A kind of disturbance of a run by the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    /// There were unplanned waits.
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
    /// Whether it makes time stamps wrong, so that findings in the trace may be wrong through no fault of the tool.
    pub fn falsifies_stamps(self) -> bool {
        match self {
            Cause::Clocks | Cause::Interruption => true,
            Cause::Noise | Cause::Deviation => false,
        }
    }
}

/// The way a run ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
    /// It ran, and left no report.
    NoReport,
    /// It ran, and left several reports instead of one.
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
