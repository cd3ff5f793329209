//! `ats record`.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{ExitCode, ExitStatus};
use std::sync::atomic::AtomicBool;

use ats_validation::run::build::{self, Watch};
use ats_validation::run::claim::Claim;
use ats_validation::run::folder::anchor;
use ats_validation::run::launch::{parse_command, wait};
use ats_validation::run::mpi::Mpi;
use ats_validation::run::opening::check_complete;
use ats_validation::run::ready::{any_recorder, recorded_library};
use ats_validation::run::recording;
use clap::{Args, ValueEnum};
use schemars::JsonSchema;
use serde::Serialize;

use crate::cancel;
use crate::environment::{RECORDER, section};
use crate::failure::Failure;
use crate::output::{Format, Output, remark};
use crate::progress::Line;
use crate::run::absolute;

/// Record a program of MPI processes, OpenMP threads or both, that need not be ours, into an OTF2 trace.
///
/// The recorder is preloaded; the program is neither changed nor built again. Its output goes where it
/// always goes (with `--format json`, to standard error), and its exit code is kept.
#[derive(Args, Debug)]
#[command(after_help = section("Environment", RECORDER) + "
Examples:
  ats record -o trace -- mpirun -np 4 ./any_program args
  ats record -o trace -- mpirun.mpich -n 4 ./solver input.dat
  ats record -o trace -- ./threads_alone
  ats record -o trace --callsites off -- mpirun -np 4 ./any_program
  ats analyze trace/traces.otf2")]
pub(crate) struct Record {
    /// The folder of the archive; its anchor is DIR/traces.otf2. A former recording in it is overwritten.
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
    /// Keep calls of MPI apart by where they stand in the program: calling function, file and line.
    ///
    /// Lines come from debugging information (-g); without it, a place in the code is shown.
    #[arg(long, value_enum, value_name = "WHEN", default_value = "on")]
    callsites: CallSites,
    /// The command line: launcher, its flags, program, its arguments.
    #[arg(last = true, required = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

/// Whether call sites are recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum CallSites {
    On,
    Off,
}

impl CallSites {
    /// The variable that tells the recorder.
    fn variable(self) -> (String, OsString) {
        let value = match self {
            CallSites::On => "on",
            CallSites::Off => "off",
        };
        ("ATS_RECORDER_CALLSITES".to_owned(), value.into())
    }
}

/// `ats-recording/1`.
#[derive(Debug, JsonSchema, Serialize)]
pub(crate) struct Document {
    /// `ats-recording/1`.
    schema: &'static str,
    /// The archive's anchor.
    trace: PathBuf,
    /// The MPI library that the recorder is built for: the program's, where it has one.
    mpi: &'static str,
    /// The recorder that was preloaded.
    recorder: PathBuf,
    /// The command's exit code; 128 + the signal's number, where one ended it.
    exit_code: u8,
    /// What is missing of the trace.
    problem: Option<String>,
}

impl Document {
    pub(crate) const SCHEMA: &str = "ats-recording/1";
}

impl Record {
    pub(crate) fn run(&self, output: Output) -> Result<ExitCode, Failure> {
        let launched = parse_command(&self.command)?;
        let mpi = recorded_library(&launched)?;
        let dir = absolute(&self.output)?;
        let _claim = Claim::of(&dir, "ats-record")?;
        let cancelled = cancel::on_signal()?;
        let recorder = recorder(mpi, output, &cancelled)?;
        clear(&dir).map_err(|error| {
            Failure::Failed(format!(
                "cannot record into {}: {error}; choose a folder that you may write to",
                dir.display()
            ))
        })?;
        let mut environment = recording(&recorder, &dir);
        environment.push(self.callsites.variable());
        let mut command = launched.with_environment(&environment);
        if output.format == Format::Json {
            command.stdout(io::stderr());
        }
        let status = wait(command, &cancelled).map_err(|error| {
            Failure::Input(format!("cannot start {}: {error}", self.command[0].to_string_lossy()))
        })?;
        let trace = anchor(&dir);
        let document = Document {
            schema: Document::SCHEMA,
            mpi: mpi.name(),
            recorder,
            exit_code: exit_code(status),
            problem: check_complete(&trace).err(),
            trace,
        };
        if output.format == Format::Json {
            output.document(&document, String::new)?;
        }
        match (&document.problem, document.exit_code) {
            (Some(problem), 0) => return Err(Failure::Failed(problem.clone())),
            (Some(problem), code) => remark(&format!("the command ended with {code}; {problem}")),
            (None, _) => remark(&format!("recorded into {}", document.trace.display())),
        }
        Ok(ExitCode::from(document.exit_code))
    }
}

fn recorder(mpi: Mpi, output: Output, cancelled: &AtomicBool) -> Result<PathBuf, Failure> {
    if build::find_recorder(mpi).is_none() {
        remark(&format!("building the recorder for {}, once", mpi.name()));
    }
    let mut line = Line::new(output);
    let found = any_recorder(mpi, &mut Watch { logs: None, progress: &mut line, cancelled });
    line.done();
    Ok(found?)
}

/// Makes the folder, and removes a former recording from it: it must not pass for the new one.
pub(crate) fn clear(dir: &Path) -> io::Result<()> {
    fs::create_dir_all(dir)?;
    for entry in fs::read_dir(dir)? {
        let path = entry?.path();
        let is_named = |stem: &str| path.file_stem().is_some_and(|own| own == stem);
        if path.is_dir() && path.ends_with("traces") {
            fs::remove_dir_all(&path)?;
        } else if !path.is_dir() && (is_named("traces") || is_named("incomplete")) {
            fs::remove_file(&path)?;
        }
    }
    Ok(())
}

fn exit_code(status: ExitStatus) -> u8 {
    let code = status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or_default());
    u8::try_from(code).unwrap_or(1)
}
