//! Answers of commands: `ats-done/1` and `ats-doctor/1`.

use std::path::PathBuf;

use serde::Serialize;

use crate::score::RunStatus;

/// The document `ats-done/1`: what a command has done. Fields that do not apply are omitted.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Done {
    /// The schema: `ats-done/1`.
    pub schema: &'static str,
    /// The program that was run, or whose ideal trace was written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub program: Option<String>,
    /// The number of its ranks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ranks: Option<usize>,
    /// The number of threads of each rank.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threads: Option<usize>,
    /// The way its run ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run_status: Option<RunStatus>,
    /// The reason, if `run_status` is not `ok`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// Its standard output.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<String>,
    /// The folder of generated programs, or of the witness and the output of a run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dir: Option<PathBuf>,
    /// The generated programs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub programs: Vec<String>,
    /// The anchor of the archive that was written or recorded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trace: Option<PathBuf>,
    /// The MPI libraries that a recorder was built for: the recorded program's, or all installed ones, the default first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mpi: Vec<&'static str>,
    /// The recorder that was preloaded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recorder: Option<PathBuf>,
    /// The recorded command's exit code; 128 + the signal's number if one ended it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<u8>,
    /// The parts that the recording lacks, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    /// The installed suite's version.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<&'static str>,
    /// The folder that it is installed in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prefix: Option<PathBuf>,
    /// The folder of its sources.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suite: Option<PathBuf>,
    /// Every file that was written, but those of the installed sources and those of an archive.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<PathBuf>,
}

impl Done {
    /// The value of [`Done::schema`].
    pub const SCHEMA: &str = "ats-done/1";
}

/// The calibration of work on a machine, and its precision.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Calibration {
    /// The file that keeps the calibration; null if there is no place for one.
    pub file: Option<PathBuf>,
    /// The machine.
    pub machine: Machine,
    /// The smallest step of the clock, in seconds.
    pub timer_resolution_seconds: f64,
    /// Iterations of random accesses that a core does in a second.
    pub iterations_per_second: f64,
    /// The relative error of each kind at each duration.
    pub precision: Vec<KindPrecision>,
}

/// A machine.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Machine {
    /// Its name.
    pub host: String,
    /// Its processor.
    pub cpu_model: String,
    /// The number of cores that are online.
    pub cores: usize,
}

/// The precision of one kind of work at one duration.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct KindPrecision {
    /// The kind of work.
    pub kind: &'static str,
    /// The duration that was asked for.
    pub seconds: f64,
    /// Median of the relative error: 0.01 is one percent.
    pub median_error: f64,
    /// Its 99th percentile.
    pub p99_error: f64,
}

/// The document `ats-doctor/1`: the checks of this machine, or the calibration of work on it.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Doctor {
    /// The schema: `ats-doctor/1`.
    pub schema: &'static str,
    /// Whether programs can be run under MPI, and under the tool that was named; omitted if nothing was checked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ready: Option<bool>,
    /// Remarks on that tool, for its users; omitted if none was named.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remarks: Option<String>,
    /// The checks, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub checks: Vec<Check>,
    /// The calibration; omitted if it was not asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub calibration: Option<Calibration>,
}

impl Doctor {
    /// The value of [`Doctor::schema`].
    pub const SCHEMA: &str = "ats-doctor/1";
}

/// One thing that was looked at.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Check {
    /// The name of the thing.
    pub what: String,
    /// Whether it is as it should be.
    pub ok: bool,
    /// Whether programs cannot be run under MPI without it.
    pub required: bool,
    /// The result of the look, in words.
    pub found: String,
    /// The same as a number, where it is an amount of data: an eager limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
    /// The remedy, if it is not as it should be.
    pub fix: Option<String>,
}
