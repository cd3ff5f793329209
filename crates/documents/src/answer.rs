//! Answers of commands: `ats-written/1`, `ats-generated/1`, `ats-trace/1`, `ats-run/1`, `ats-recording/1`,
//! `ats-installed/1`, `ats-precision/1`, `ats-doctor/1` and `ats-schemas/1`.

use std::path::PathBuf;

use serde::Serialize;

use crate::score::RunStatus;

/// The document `ats-written/1`: the files that a command has written which writes files and nothing else.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Written {
    /// The schema: `ats-written/1`.
    pub schema: &'static str,
    /// The files.
    pub files: Vec<PathBuf>,
}

impl Written {
    /// The value of [`Written::schema`].
    pub const SCHEMA: &str = "ats-written/1";
}

/// The document `ats-generated/1`: the programs that were written.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GeneratedPrograms {
    /// The schema: `ats-generated/1`.
    pub schema: &'static str,
    /// The folder.
    pub dir: PathBuf,
    /// The programs in it.
    pub programs: Vec<String>,
    /// Every file.
    pub files: Vec<PathBuf>,
}

impl GeneratedPrograms {
    /// The value of [`GeneratedPrograms::schema`].
    pub const SCHEMA: &str = "ats-generated/1";
}

/// The document `ats-trace/1`: the ideal trace that was written.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct IdealTrace {
    /// The schema: `ats-trace/1`.
    pub schema: &'static str,
    /// The program.
    pub program: String,
    /// The number of ranks.
    pub ranks: usize,
    /// The number of threads of each rank.
    pub threads: usize,
    /// The archive's anchor.
    pub trace: PathBuf,
}

impl IdealTrace {
    /// The value of [`IdealTrace::schema`].
    pub const SCHEMA: &str = "ats-trace/1";
}

/// The document `ats-run/1`: a run of a program.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ProgramRun {
    /// The schema: `ats-run/1`.
    pub schema: &'static str,
    /// The program.
    pub program: String,
    /// The number of ranks.
    pub ranks: usize,
    /// The number of threads of each rank.
    pub threads: usize,
    /// The way it ended.
    pub run_status: RunStatus,
    /// The reason, if `run_status` is not `ok`.
    pub message: Option<String>,
    /// Its standard output.
    pub output: String,
    /// The folder of its witness and its output.
    pub dir: PathBuf,
}

impl ProgramRun {
    /// The value of [`ProgramRun::schema`].
    pub const SCHEMA: &str = "ats-run/1";
}

/// The document `ats-recording/1`: a recording, and the end of its command.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Recording {
    /// The schema: `ats-recording/1`.
    pub schema: &'static str,
    /// The archive's anchor.
    pub trace: PathBuf,
    /// The MPI library that the recorder is built for: the program's, where it has one.
    pub mpi: &'static str,
    /// The recorder that was preloaded.
    pub recorder: PathBuf,
    /// The command's exit code; 128 + the signal's number, where one ended it.
    pub exit_code: u8,
    /// The parts that the trace lacks, in words.
    pub problem: Option<String>,
}

impl Recording {
    /// The value of [`Recording::schema`].
    pub const SCHEMA: &str = "ats-recording/1";
}

/// The document `ats-installed/1`: the files that were installed.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Installed {
    /// The schema: `ats-installed/1`.
    pub schema: &'static str,
    /// The suite's version.
    pub version: &'static str,
    /// The folder.
    pub prefix: PathBuf,
    /// The MPI libraries that a recorder and a libats were built for; the first is taken where a program does not say.
    pub mpi: Vec<&'static str>,
    /// The folder of the suite's sources.
    pub suite: PathBuf,
    /// Every file but those.
    pub files: Vec<PathBuf>,
}

impl Installed {
    /// The value of [`Installed::schema`].
    pub const SCHEMA: &str = "ats-installed/1";
}

/// The document `ats-precision/1`: the calibration of work on this machine, and its precision.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Precision {
    /// The schema: `ats-precision/1`.
    pub schema: &'static str,
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

impl Precision {
    /// The value of [`Precision::schema`].
    pub const SCHEMA: &str = "ats-precision/1";
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

/// The document `ats-doctor/1`: the checks of this machine.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Checks {
    /// The schema: `ats-doctor/1`.
    pub schema: &'static str,
    /// Whether programs can be run under MPI, and under the tool that was named.
    pub ready: bool,
    /// Remarks on that tool, for its users; omitted if none was named.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remarks: Option<String>,
    /// The checks, in order.
    pub checks: Vec<Check>,
}

impl Checks {
    /// The value of [`Checks::schema`].
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

/// The document `ats-schemas/1`: the published documents.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Documents {
    /// The schema: `ats-schemas/1`.
    pub schema: &'static str,
    /// All published documents.
    pub documents: Vec<Listed>,
}

impl Documents {
    /// The value of [`Documents::schema`].
    pub const SCHEMA: &str = "ats-schemas/1";
}

/// A published document, and its origin.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Listed {
    /// Name and version.
    pub name: &'static str,
    /// Commands that write it; empty for a document that is written by hand.
    pub written_by: Vec<String>,
}
