//! Builds programs, launches them, records them or runs them under a tool, and reads what they leave.
//!
//! - [`mpi`], [`openmp`]: the libraries on this machine. [`build`]: recorder and programs. [`installation`]: installed
//!   files. [`doctor`]: what this machine lacks.
//! - [`launch`]: processes, from start to end. [`claim`]: a folder that belongs to one session. [`folder`]: the files of a
//!   run.
//! - [`ready`]: everything that must exist before the first run; [`progress`]: progress of builds and runs. [`Run`]: one run
//!   of a program. [`semantics`]: whether two runs computed the same. [`environment`]: the machine and the command line.
//! - [`stamps`]: whether recorder and witness agree on times. [`tool`]: other tools, as data.

pub mod build;
pub mod claim;
pub mod doctor;
pub mod environment;
pub mod folder;
pub mod installation;
pub mod launch;
mod linked;
pub mod mpi;
pub mod openmp;
mod preloading;
pub mod progress;
pub mod ready;
pub mod semantics;
pub mod stamps;
pub mod tool;

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use ats_analyzer::AnalysisError;
use ats_compose::Subject;
use ats_documents::score::RunStatus;
use ats_documents::{Analysis, Causes, Truth};
use ats_model::delay::Extent;
use ats_model::files::read_document;
use ats_model::machine_counter::MachineCounter;
use ats_model::mpi::LACKING_EXIT_CODE;
use ats_model::{EventSource, Witness};
use ats_trace::{Archive, TraceError};

use ats_reports::source::opening::check_complete;
use ats_truth::{self as truth, Size};
use folder::RunFolder;
use launch::{Ended, Ending, Job, Launcher, Limits, run};

/// A program to be run, and how.
#[derive(Clone, Copy, Debug)]
pub struct Run<'a> {
    /// The program: a property, its twin or a composition.
    pub subject: &'a Subject,
    /// Its executable.
    pub executable: &'a Path,
    /// The number of ranks and threads.
    pub size: Size,
    /// The launcher; `None` for one process that starts by itself.
    pub launcher: Option<&'a Launcher>,
    /// The recorder to be preloaded; none to run it as it is.
    pub recorder: Option<&'a Path>,
    /// More of its command line (`--work`, `--seed`).
    pub options: &'a [OsString],
    /// The longest time that it may take.
    pub time: Duration,
    /// The waits in its trace whose root causes are wanted, too.
    pub causes: Option<Extent>,
}

/// A run that went well.
#[derive(Clone, Debug)]
pub struct Recorded {
    /// The analysis of the trace.
    pub analysis: Analysis,
    /// The truth that the witness shows.
    pub observed: Truth,
    /// One per rank.
    pub witnesses: Vec<Witness>,
    /// Seconds that they and the trace are [apart](stamps::apart).
    pub apart: f64,
}

/// A run that did not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The way it ended.
    pub status: RunStatus,
    /// Why, and what to do.
    pub message: String,
}

/// Bytes that each output stream of a program may have.
pub const OUTPUT: u64 = 64 << 20;

impl Run<'_> {
    /// The job as the launcher gets it, with everything that it writes in `dir`.
    pub fn job(&self, dir: &Path) -> Job<'_> {
        let Size { ranks, threads } = self.size;
        let needs = self.subject.needs();
        let mut arguments: Vec<OsString> = Vec::new();
        if needs.ranks {
            arguments.extend(["--np".into(), ranks.to_string().into()]);
        }
        if needs.team {
            arguments.extend(["--threads".into(), threads.to_string().into()]);
        }
        arguments.extend(["--witness".into(), RunFolder(dir).witness().into()]);
        if self.subject.is_twin() {
            arguments.push("--balanced".into());
        }
        arguments.extend(self.options.iter().cloned());
        let pairs = self.subject.parameters();
        arguments.extend(pairs.into_iter().map(|(name, value)| format!("{name}={value}").into()));
        let mut environment =
            self.recorder.map_or_else(Vec::new, |recorder| recording(recorder, &RunFolder(dir).recording()));
        let counters = self.subject.machine_counters();
        if self.recorder.is_some() && !counters.is_empty() {
            environment.push((METRICS.to_owned(), names(&counters).into()));
        }
        Job { ranks: self.size.ranks, environment, program: self.executable, arguments }
    }

    /// The command that does the job.
    pub fn command(&self, dir: &Path) -> Command {
        let job = self.job(dir);
        self.launcher.map_or_else(|| job.alone(), |launcher| launcher.command(&job))
    }

    /// Runs it; whatever it leaves is in `dir`, which is emptied first.
    ///
    /// # Errors
    /// It did not start, or not end well.
    pub fn execute(&self, dir: &Path, cancelled: &AtomicBool) -> Result<(), Failure> {
        empty(dir)?;
        self.start(dir, self.command(dir), cancelled).map(drop)
    }

    /// Runs a command that does the job, in a way of its own; its output is in `dir`, which exists.
    ///
    /// # Errors
    /// It did not start, or not end well.
    pub fn start(&self, dir: &Path, command: Command, cancelled: &AtomicBool) -> Result<Ended, Failure> {
        let limits = Limits { time: self.time, output: OUTPUT, cancelled };
        let starter = command.get_program().to_owned();
        let ended = run(command, dir, limits)
            .map_err(not_started(format!("start {}", Path::new(&starter).display())))?;
        let Some(status) = status(&ended) else { return Ok(ended) };
        Err(Failure { status, message: format!("{}; all of it is in {}", ended.message(), dir.display()) })
    }

    /// Runs, analyzes and replays it.
    ///
    /// # Errors
    /// It did not start, not end well, or left no whole trace or witness.
    pub fn record(&self, dir: &Path, cancelled: &AtomicBool) -> Result<Recorded, Failure> {
        self.execute(dir, cancelled)?;
        self.recorded(dir)
    }

    /// Analyzes and replays what a run into `dir` has left.
    ///
    /// # Errors
    /// It left no whole trace or witness.
    pub fn recorded(&self, dir: &Path) -> Result<Recorded, Failure> {
        let unreadable = |message: String| Failure { status: RunStatus::ParseError, message };
        let trace = RunFolder(dir).trace();
        check_complete(&trace).map_err(unreadable)?;
        let archive = Archive::open(&trace).map_err(|error| unreadable(error.to_string()))?;
        let name = trace.display().to_string();
        let (mut observed, witnesses) = self.observed(dir)?;
        observed.causes = self.causes.map(|extent| causes(&trace, extent)).transpose()?;
        let analysis =
            analyzed(&archive, &name, &observed).map_err(|error| unreadable(format!("{name}: {error}")))?;
        let apart =
            stamps::apart(&archive, &witnesses).map_err(|error| unreadable(format!("{name}: {error}")))?;
        Ok(Recorded { analysis, observed, witnesses, apart })
    }

    /// The truth that a run into `dir` showed, and the witness of every rank.
    ///
    /// # Errors
    /// It left no whole witness.
    pub fn observed(&self, dir: &Path) -> Result<(Truth, Vec<Witness>), Failure> {
        let unreadable = |message: String| Failure { status: RunStatus::ParseError, message };
        let witnesses = read_witnesses(&RunFolder(dir).witness(), self.size.ranks).map_err(unreadable)?;
        let observed = truth::observed(self.subject, self.size, &witnesses)
            .map_err(|error| unreadable(error.to_string()))?;
        Ok((observed, witnesses))
    }

    /// The truth promised by the parameters, with what the run has probed of its MPI library; `None` if it probed nothing.
    ///
    /// # Errors
    /// With these values the program does not come to its end.
    pub fn promised(&self, witnesses: &[Witness]) -> Result<Option<Truth>, Failure> {
        let promised = truth::promised(self.subject, self.size, witnesses, self.causes);
        promised.map_err(|error| Failure { status: RunStatus::ParseError, message: error.to_string() })
    }
}

/// The analysis of a trace, with the time of all calls if the program shows times, with the numbers that it counts itself,
/// and with causes if the truth has them.
///
/// # Errors
/// The trace cannot be read.
pub fn analyzed<S: EventSource>(
    trace: &S,
    name: &str,
    truth: &Truth,
) -> Result<Analysis, AnalysisError<S::Error>> {
    let causes = truth.causes.as_ref().map(|causes| causes.extent);
    let options = ats_analyzer::Options { causes, ..ats_analyzer::Options::default() };
    if !truth.shows_times() && !truth.shows_counters() {
        return ats_analyzer::analyze(trace, name, &options);
    }
    let (mut analysis, profile) = ats_analyzer::analyze_and_profile(trace, name, &options)?;
    if truth.shows_times() {
        analysis.calls = profile.calls();
    }
    analysis.findings.extend(profile.counted_numbers(&truth.findings));
    Ok(analysis)
}

/// The root causes of the waits in a trace, by another way than the analyzer's, at call paths with our names of regions,
/// as in a tool's report.
///
/// # Errors
/// The trace cannot be read.
pub fn causes(trace: &Path, extent: Extent) -> Result<Causes, Failure> {
    let unreadable = |error: TraceError| Failure {
        status: RunStatus::ParseError,
        message: format!("{}: {error}", trace.display()),
    };
    let archive = Archive::open(trace).map_err(unreadable)?;
    truth::causes::of_trace(&archive, extent).map_err(unreadable).map(renamed)
}

fn renamed(mut causes: Causes) -> Causes {
    causes.call_paths.iter_mut().flatten().for_each(|region| *region = ats_reports::region_name(region));
    causes
}

/// The status of a run that did not end well; none of one that did.
pub fn status(ended: &Ended) -> Option<RunStatus> {
    match ended.ending {
        Ending::Success => None,
        Ending::Cancelled => Some(RunStatus::Cancelled),
        _ if ended.wanted_terminal() => Some(RunStatus::WantedTerminal),
        Ending::TimedOut(_) => Some(RunStatus::Timeout),
        Ending::Exit(LACKING_EXIT_CODE) => Some(RunStatus::Unsupported),
        Ending::Exit(_) | Ending::Signal(_) | Ending::TooMuchOutput(_) => Some(RunStatus::Crashed),
    }
}

fn not_started(what: String) -> impl FnOnce(io::Error) -> Failure {
    move |error| Failure { status: RunStatus::NotStarted, message: format!("cannot {what}: {error}") }
}

/// Makes the folder of a run, with nothing in it.
///
/// # Errors
/// It cannot be emptied or made.
pub fn empty(dir: &Path) -> Result<(), Failure> {
    match fs::remove_dir_all(dir) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(not_started(format!("empty {}", dir.display()))(error))
        }
        _ => fs::create_dir_all(dir).map_err(not_started(format!("write to {}", dir.display()))),
    }
}

/// The variable that tells a recorder which part of the stack it records with a call of MPI.
pub const STACKS: &str = "ATS_RECORDER_STACKS";

/// The value of [`STACKS`] for all functions from `main` to the call, as programs of users are recorded.
pub const FULL_STACKS: &str = "full";

/// The variable that tells a recorder the counters to read: their [`names`].
pub const METRICS: &str = "ATS_RECORDER_METRICS";

/// The names of counters, with commas between them.
pub fn names(counters: &[MachineCounter]) -> String {
    counters.iter().map(|counter| counter.name()).collect::<Vec<_>>().join(",")
}

/// The variables that put a recorder into every rank.
pub fn recording(recorder: &Path, folder: &Path) -> Vec<(String, OsString)> {
    vec![("LD_PRELOAD".to_owned(), recorder.into()), ("ATS_RECORDER_DIR".to_owned(), folder.into())]
}

/// The witness of every rank.
///
/// # Errors
/// One is missing or damaged.
pub fn read_witnesses(dir: &Path, ranks: usize) -> Result<Vec<Witness>, String> {
    let read = |rank: usize| {
        let path = dir.join(Witness::file_name(rank as u32));
        let bytes = read_document(&path)
            .map_err(|error| format!("rank {rank} left no witness, {}: {error}", path.display()))?;
        let witness: Witness = serde_json::from_slice(&bytes).map_err(|error| {
            format!("{} cannot be read as a witness: {error}; run the program again", path.display())
        })?;
        if witness.ranks as usize != ranks {
            return Err(format!(
                "{ranks} ranks were started, but {} has {}; run the program again",
                path.display(),
                witness.ranks
            ));
        }
        Ok(witness)
    };
    (0..ranks).map(read).collect()
}

#[cfg(test)]
mod tests;
