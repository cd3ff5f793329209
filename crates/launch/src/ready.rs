//! The preparations for real runs: launcher, programs, recorder and folder.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use ats_compose::Subject;
use ats_generator::Language;
use ats_props::Needs;
use serde_json::{Value, json};
use thiserror::Error;

use crate::build::{self, BuildError, BuildOptions, Watch};
use crate::claim::{Claim, ClaimError};
use crate::launch::{LaunchError, Launched, Launcher};
use crate::mpi::Mpi;
use crate::openmp::OpenMp;
use crate::preloading;
use crate::progress::Progress;
use crate::tool::{Tool, Unfit};
use ats_truth::Planned;

/// Options of real runs.
#[derive(Clone, Debug)]
pub struct RealOptions {
    /// Name or path of the launcher; by default the first that is found together with a compiler of its library.
    pub launcher: Option<OsString>,
    /// The longest time that a program may take.
    pub time: Duration,
    /// The longest time that a build may take.
    pub build_time: Duration,
    /// The folder that keeps the output of programs, a folder each.
    pub dir: PathBuf,
    /// More of the programs' command lines (`--work`, `--seed`).
    pub options: Vec<OsString>,
    /// The language of the programs; by default Rust, or what a tool needs.
    pub language: Option<Language>,
}

/// Why no program can be run. What is wrong with one of them is in its result.
#[derive(Debug, Error)]
pub enum NotReady {
    /// No launcher, or the wrong one.
    #[error(transparent)]
    Launch(#[from] LaunchError),
    /// No MPI library is there.
    #[error(
        "no MPI library with launcher and compiler was found; install one, on Debian with: apt-get install {}; \
         or use --engine virtual, which needs nothing",
        Mpi::OpenMpi.packages()
    )]
    NoMpi,
    /// Recorder or programs are not built.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// The output of programs cannot be kept.
    #[error(transparent)]
    Claim(#[from] ClaimError),
    /// The tool is not there, or does not fit.
    #[error(transparent)]
    Unfit(#[from] Unfit),
    /// Nothing of a user's program can be recorded.
    #[error(
        "{} is linked with neither an MPI library nor an OpenMP runtime that ATS knows, and no launcher tells \
         which it is; give the program's full command line, as: mpirun -np 4 ./program",
        .0.display()
    )]
    Unrecordable(PathBuf),
    /// It loads no recorder, or does not bear one.
    #[error("{} {problem}", .program.display())]
    Unloadable {
        /// The program.
        program: PathBuf,
        /// The reason, and a way out.
        problem: &'static str,
    },
    /// Its OpenMP runtime is silent.
    #[error(
        "{} uses GNU's OpenMP runtime, which has no interface for tools; build it with clang -fopenmp", .0.display()
    )]
    Silent(PathBuf),
}

/// The MPI library that the recorder for a command line is built for: the program's, where it has one; for threads alone any
/// will do.
///
/// # Errors
/// The launcher starts programs of another library, or there is nothing that can be recorded.
pub fn recorded_library(launched: &Launched) -> Result<Mpi, NotReady> {
    if let Ok(program) = which::which(&launched.program)
        && let Some(problem) = preloading::problem(&program, launched.launcher.is_some())
    {
        return Err(NotReady::Unloadable { program: launched.program.clone(), problem });
    }
    if let Some(mpi) = launched.mpi()? {
        return Ok(mpi);
    }
    match launched.openmp() {
        Some(OpenMp::Llvm) => usual_library(),
        Some(OpenMp::Gnu) => Err(NotReady::Silent(launched.program.clone())),
        None => Err(NotReady::Unrecordable(launched.program.clone())),
    }
}

/// The MPI library to record with where the program does not tell: the first that there is a recorder for, or a compiler.
///
/// # Errors
/// There is none.
pub fn usual_library() -> Result<Mpi, NotReady> {
    let is_built = |mpi: &Mpi| build::find_recorder(*mpi).is_some();
    let usable = |mpi: &Mpi| is_built(mpi) || mpi.compiler().is_some();
    Mpi::ALL.into_iter().find(is_built).or_else(|| Mpi::ALL.into_iter().find(usable)).ok_or(NotReady::NoMpi)
}

/// A recorder that is there, or else one that is built.
///
/// # Errors
/// It cannot be built.
pub fn any_recorder(mpi: Mpi, watch: &mut Watch<'_>) -> Result<PathBuf, NotReady> {
    match build::find_recorder(mpi) {
        Some(found) => Ok(found),
        None => Ok(build::recorder(mpi, false, watch)?),
    }
}

/// The launcher to use: the one that is named, or the first whose library also has a compiler.
///
/// # Errors
/// It is not there.
pub fn choose_launcher(named: Option<&OsString>) -> Result<(Launcher, Mpi), NotReady> {
    let named = named.map(Launcher::named).transpose()?;
    let preferred = std::env::var("MPICC").ok().and_then(|compiler| Mpi::of_compiler(&compiler));
    let candidates = preferred.into_iter().chain(Mpi::ALL).filter(|mpi| mpi.compiler().is_some());
    if let Some(launcher) = named {
        let mpi = launcher.template.mpi.or(candidates.into_iter().next());
        return Ok((launcher, mpi.ok_or(NotReady::NoMpi)?));
    }
    candidates
        .filter_map(|mpi| Launcher::find(mpi).ok().map(|launcher| (launcher, mpi)))
        .next()
        .ok_or(NotReady::NoMpi)
}

/// The name under which a folder of runs is claimed.
const RUNS: &str = "ats-validate";

/// Built programs, and everything to run them with.
#[derive(Debug)]
pub struct Ready {
    _claim: Claim,
    launcher: Option<Launcher>,
    mpi: Option<Mpi>,
    /// The recorder; `None` if a tool records by itself.
    pub recorder: Option<PathBuf>,
    /// The programs.
    pub programs: build::Programs,
    /// MPI library and launcher, for the environment of a document.
    pub environment: BTreeMap<String, Value>,
}

impl Ready {
    /// Builds some programs to be recorded, or to be run under a `tool`.
    ///
    /// # Errors
    /// Something is missing on this machine, the folder of the runs is in use, or a build fails.
    pub fn new(
        planned: &[Planned],
        options: &RealOptions,
        tool: Option<&Tool>,
        progress: &mut dyn Progress,
        cancelled: &AtomicBool,
    ) -> Result<Self, NotReady> {
        let claim = Claim::acquire(&options.dir, RUNS)?;
        let subjects = planned.iter().map(|planned| &planned.subject);
        let subjects: Vec<_> = subjects.filter(|subject| !subject.is_trace_only()).collect();
        let have_ranks = subjects.iter().any(|subject| subject.needs().ranks);
        let needs_recorder = !subjects.is_empty() && tool.is_none_or(|tool| tool.has_place("recorder"));
        let chosen = have_ranks.then(|| choose_launcher(options.launcher.as_ref())).transpose()?;
        if let Some((launcher, mpi)) = &chosen {
            launcher.check(*mpi)?;
        }
        let (launcher, mpi) = chosen.unzip();
        // One process needs no launcher, and any library's recorder will do.
        let any_library = || Mpi::there().into_iter().next().map_or_else(usual_library, Ok);
        let mpi = match mpi {
            None if needs_recorder => Some(any_library()?),
            mpi => mpi,
        };
        tool.map_or(Ok(()), |tool| check(tool, &subjects, mpi, options.language))?;
        let mut watch = Watch { logs: Some(&options.dir), progress, time: options.build_time, cancelled };
        let programs_are_next = subjects.iter().any(|subject| subject.needs() == Needs::RANKS);
        let recorder = mpi.filter(|_| needs_recorder);
        let recorder = recorder.map(|mpi| build::recorder(mpi, programs_are_next, &mut watch)).transpose()?;
        let build_options =
            tool.map_or_else(BuildOptions::default, Tool::build_options).in_language(options.language);
        let programs = build::programs_for(subjects, mpi, &build_options, &mut watch)?;
        let mut environment = BTreeMap::from([("command_lines".to_owned(), json!({}))]);
        environment.extend(mpi.map(|mpi| ("mpi".to_owned(), json!(mpi.name()))));
        environment.extend(launcher.iter().flat_map(|launcher| {
            [
                ("launcher".to_owned(), json!(launcher.path)),
                ("launcher_version".to_owned(), json!(launcher.version)),
            ]
        }));
        Ok(Ready { _claim: claim, launcher, mpi, recorder, programs, environment })
    }

    /// The launcher of a program, and its MPI library; both `None` for a program without ranks.
    pub fn launcher(&self, planned: &Planned) -> (Option<&Launcher>, Option<Mpi>) {
        let has_ranks = planned.subject.needs().ranks;
        (self.launcher.as_ref().filter(|_| has_ranks), self.mpi.filter(|_| has_ranks))
    }
}

/// Whether what the tool needs for those of the programs that it knows is there.
fn check(
    tool: &Tool,
    subjects: &[&Subject],
    mpi: Option<Mpi>,
    language: Option<Language>,
) -> Result<(), Unfit> {
    language.map_or(Ok(()), |language| tool.check_language(language))?;
    let asked_for = |needs: &Needs| subjects.iter().any(|subject| subject.needs() == *needs);
    let tools = Needs::ALL.into_iter().filter(asked_for).map(|needs| (needs, tool.for_programs(needs)));
    let mut known = tools.filter(|(needs, tool)| tool.does_not_know(*needs).is_none());
    known.try_for_each(|(needs, tool)| tool.check(mpi.filter(|_| needs.ranks)))
}
