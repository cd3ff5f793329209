//! `ats run`.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use ats_documents::answer::Done;
use ats_documents::score::RunStatus;
use ats_generator::GenerateError;
use ats_launch::Run as Launched;
use ats_launch::build::{self, Watch};
use ats_launch::claim::Claim;
use ats_launch::launch::{self, Launcher, Template};
use ats_launch::mpi::Mpi;
use ats_launch::ready::choose_launcher;
use ats_props::Catalogue;
use ats_truth::Planned;
use ats_work::Kind;
use clap::Args;

use crate::cancel;
use crate::commands::completions::one_of;
use crate::failure::Failure;
use crate::options::number::whole;
use crate::options::program::ProgramArgs;
use crate::output::Output;
use crate::output::progress::Line;

/// Build a program and run it.
///
/// A program with ranks is started by the MPI launcher.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  ats run late_sender --np 4
  ats run late_sender --np 8 extrawork=100ms --work yield
  ats run late_sender_balanced --launcher mpirun.mpich
  ats run imbalance_at_omp_barrier --threads 4
  ats run examples/report-figure-3.4.toml")]
pub(crate) struct Run {
    #[command(flatten)]
    program: ProgramArgs,
    #[command(flatten)]
    launch: LaunchArgs,
    /// The most processes and threads that are started together.
    #[arg(long, value_name = "N", default_value_t = MOST_LOCATIONS)]
    limit: usize,
    /// The folder that keeps its witness and its output.
    #[arg(short, long, value_name = "DIR", default_value = "target/ats-run")]
    output: PathBuf,
}

/// The most processes and threads without `--limit`: a zero too many makes a workstation unusable. A higher one lets more of
/// them through; a lower one asks owners of a few nodes for the option.
const MOST_LOCATIONS: usize = 4096;

/// The options for launching programs.
#[derive(Args, Debug)]
pub(crate) struct LaunchArgs {
    /// The launcher, by name or path [default: the first that is found with a compiler of its MPI library].
    #[arg(long, value_name = "COMMAND", add = one_of(launchers))]
    pub(crate) launcher: Option<OsString>,
    /// Seconds after which a program is killed.
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = seconds)]
    pub(crate) timeout: Duration,
    #[command(flatten)]
    pub(crate) build: BuildArgs,
    /// Kind of work: spin, hybrid, yield, sleep, cpu, counted or none [default: by ranks and cores].
    #[arg(long, value_name = "KIND", value_parser = |text: &str| text.parse::<Kind>(), add = one_of(|| Kind::ALL.map(Kind::name).to_vec()))]
    work: Option<Kind>,
    /// Seed of the random accesses that work makes.
    #[arg(long, value_name = "N", value_parser = whole(0..=u64::MAX))]
    seed: Option<u64>,
}

/// The options for builds.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct BuildArgs {
    /// Seconds after which a build of the recorder, of `libats` or of programs is given up.
    #[arg(long, value_name = "SECONDS", default_value_t = build::TIME.as_secs(), value_parser = whole(1..=u64::MAX))]
    build_timeout: u64,
}

impl BuildArgs {
    /// The longest time that a build may take.
    pub(crate) fn time(self) -> Duration {
        Duration::from_secs(self.build_timeout)
    }
}

fn launchers() -> Vec<&'static str> {
    Template::ALL.iter().flat_map(|template| template.commands).copied().collect()
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    seconds.filter(|time| !time.is_zero()).ok_or_else(|| "give a number of seconds above 0".to_owned())
}

impl LaunchArgs {
    /// The options for the program's own command line.
    pub(crate) fn program_options(&self) -> Vec<OsString> {
        let work = self.work.map(|kind| format!("--work={kind}").into());
        work.into_iter().chain(self.seed.map(|seed| format!("--seed={seed}").into())).collect()
    }

    /// Checks that all options are omitted, as nothing really runs in virtual time.
    pub(crate) fn refuse_in_virtual_time(&self) -> Result<(), Failure> {
        let given = [
            ("--launcher", self.launcher.is_some()),
            ("--work", self.work.is_some()),
            ("--seed", self.seed.is_some()),
        ];
        match given.iter().find(|(_, is_given)| *is_given) {
            Some((option, _)) => Err(Failure::Input(format!(
                "{option} is for real processes, and the virtual engine starts none; omit {option} or --engine virtual"
            ))),
            None => Ok(()),
        }
    }

    /// The launcher, and the MPI library to build for.
    pub(crate) fn choose(&self) -> Result<(Launcher, Mpi), Failure> {
        let (launcher, mpi) = choose_launcher(self.launcher.as_ref())?;
        launcher.check(mpi)?;
        Ok((launcher, mpi))
    }
}

impl Run {
    pub(crate) fn run(&self, catalogue: &Catalogue, output: Output) -> Result<ExitCode, Failure> {
        let planned = self.program.resolve(catalogue)?;
        let Planned { subject, size } = &planned;
        if subject.is_trace_only() {
            return Err(Failure::input(GenerateError::TraceOnly(subject.name().to_owned())));
        }
        let locations = size.ranks.saturating_mul(size.threads);
        if locations > self.limit {
            return Err(Failure::Input(format!(
                "{size} would be {locations} processes and threads; give --limit {locations} to start more than {}",
                self.limit
            )));
        }
        let dir = absolute(&self.output)?;
        let folder = planned.folder();
        let _claim = Claim::acquire(&dir, &folder)?;
        let cancelled = cancel::on_signal()?;
        let has_ranks = subject.needs().ranks;
        let launcher = has_ranks.then(|| self.launch.choose()).transpose()?;
        let mpi = launcher.as_ref().map(|&(_, mpi)| mpi);
        let mut line = Line::new(output);
        let mut watch =
            Watch { logs: None, progress: &mut line, time: self.launch.build.time(), cancelled: &cancelled };
        let executable = build::programs([subject], mpi, &mut watch)?.executable(subject);
        line.say(format!("running {}", subject.name()));
        let dir = dir.join(folder);
        let run = Launched {
            subject,
            executable: &executable,
            size: *size,
            launcher: launcher.as_ref().map(|(launcher, _)| launcher),
            recorder: None,
            options: &self.launch.program_options(),
            time: self.launch.timeout,
            causes: None,
        };
        let ended = run.execute(&dir, &cancelled);
        line.done();
        let (run_status, message) = match ended {
            Ok(()) => (RunStatus::Ok, None),
            Err(failure) => (failure.status, Some(failure.message)),
        };
        let written = fs::read(dir.join(launch::STDOUT)).unwrap_or_default();
        let written = String::from_utf8_lossy(&written).into_owned();
        let document = Done {
            schema: Done::SCHEMA,
            program: Some(subject.name().to_owned()),
            ranks: Some(size.ranks),
            threads: Some(size.threads),
            run_status: Some(run_status),
            message: message.clone(),
            output: Some(written.clone()),
            dir: Some(dir),
            ..Done::default()
        };
        output.document(&document, || written)?;
        match message {
            None => Ok(ExitCode::SUCCESS),
            Some(message) => Err(Failure::Failed(format!("{}: {message}", subject.name()))),
        }
    }
}

/// Ranks may have other working folders.
pub(crate) fn absolute(dir: &Path) -> Result<PathBuf, Failure> {
    std::path::absolute(dir).map_err(|error| Failure::Input(format!("{}: {error}", dir.display())))
}
