//! Programs in, scores out.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use ats_model::validation::{ProgramResult, RunStatus};
use ats_model::{Analysis, Report, Truth, Validation};
use serde_json::{Value, json};
use thiserror::Error;

use crate::run::build::{self, BuildError};
use crate::run::claim::{Claim, ClaimError};
use crate::run::environment::{common, note_command, of_machine, of_run};
use crate::run::folder::{RunFolder, keep};
use crate::run::launch::{LaunchError, Launcher};
use crate::run::mpi::Mpi;
use crate::run::tool::CallPaths;
use crate::run::{Failure, Recorded, Run};
use crate::score;
use crate::score::judge::Rules;
use crate::session::{Ran, Runner, Session};
use crate::truth::{Planned, TruthOptions, ideal_trace};

/// What is to be validated, and how.
#[derive(Clone, Debug)]
pub struct Request {
    /// What is to be run.
    pub programs: Vec<Planned>,
    /// On which engine.
    pub engine: Engine,
    /// How strictly it is judged.
    pub rules: Rules,
}

/// What the programs run on.
#[derive(Clone, Debug)]
pub enum Engine {
    /// In virtual time; needs nothing installed.
    Virtual,
    /// As processes and threads of this machine, those of MPI under a launcher.
    Real(RealOptions),
}

/// How programs are really run.
#[derive(Clone, Debug)]
pub struct RealOptions {
    /// Name or path of the launcher; by default the first that is found together with a compiler of its library.
    pub launcher: Option<OsString>,
    /// How long a program may take.
    pub time: Duration,
    /// Where what the programs leave is kept, a folder each.
    pub dir: PathBuf,
    /// More of the programs' command lines (`--work`, `--seed`).
    pub options: Vec<OsString>,
}

/// What is being done, for whoever waits.
#[derive(Clone, Copy, Debug)]
pub enum Step<'a> {
    /// Something is built.
    Building(&'a str),
    /// A program is run.
    Running {
        /// Which.
        program: &'a str,
        /// How many have been before it.
        done: usize,
        /// How many there are.
        of: usize,
    },
    /// A program has its result.
    Judged(&'a ProgramResult),
}

/// Whoever waits.
pub trait Progress {
    /// The next step begins.
    fn step(&mut self, step: Step<'_>);
}

/// Nobody waits.
impl Progress for () {
    fn step(&mut self, _step: Step<'_>) {}
}

/// Why nothing could be validated. What is wrong with one program is in its result.
#[derive(Debug, Error)]
pub enum ValidationError {
    /// No launcher, or the wrong one.
    #[error(transparent)]
    Launch(#[from] LaunchError),
    /// No MPI library is there.
    #[error(
        "no MPI library with launcher and compiler is there; install one, on Debian with: apt-get install {}; \
         or use --engine virtual, which needs nothing",
        Mpi::OpenMpi.packages()
    )]
    NoMpi,
    /// Recorder or programs are not built.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// What programs leave cannot be kept.
    #[error(transparent)]
    Claim(#[from] ClaimError),
}

/// What a folder of runs is claimed for.
pub(crate) const RUNS_OF_ATS: &str = "ats-validate";

/// Runs and judges every program; one that fails keeps none of the others from it.
///
/// # Errors
/// Nothing can be run at all.
pub fn validate(
    request: &Request,
    progress: &mut dyn Progress,
    cancelled: &AtomicBool,
) -> Result<Validation, ValidationError> {
    let mut engine = Prepared::new(request, progress, cancelled)?;
    let mut session = Session::new(request.programs.len(), request.rules, cancelled);
    let mut programs = Vec::new();
    for (done, (planned, folder)) in
        request.programs.iter().zip(Planned::folders(&request.programs)).enumerate()
    {
        progress.step(Step::Running { program: planned.subject.name(), done, of: request.programs.len() });
        let result = session.result(&mut engine, planned, &folder).result;
        progress.step(Step::Judged(&result));
        programs.push(result);
    }
    let mut environment = engine.environment;
    let common = common(programs.iter_mut().map(|program| &mut program.environment));
    environment.extend(common.map(|common| ("run".to_owned(), common)));
    Ok(Validation {
        schema: Validation::SCHEMA.to_owned(),
        totals: score::totals(&programs, request.rules.threshold),
        programs,
        environment,
    })
}

/// The launcher to use: the one that is named, or the first whose library also has a compiler.
///
/// # Errors
/// It is not there.
pub fn choose_launcher(named: Option<&OsString>) -> Result<(Launcher, Mpi), ValidationError> {
    let named = named.map(Launcher::named).transpose()?;
    let preferred = std::env::var("MPICC").ok().and_then(|compiler| Mpi::of_compiler(&compiler));
    let candidates = preferred.into_iter().chain(Mpi::ALL).filter(|mpi| mpi.compiler().is_some());
    if let Some(launcher) = named {
        let mpi = launcher.template.mpi.or(candidates.into_iter().next());
        return Ok((launcher, mpi.ok_or(ValidationError::NoMpi)?));
    }
    candidates
        .filter_map(|mpi| Launcher::of(mpi).ok().map(|launcher| (launcher, mpi)))
        .next()
        .ok_or(ValidationError::NoMpi)
}

/// What needs to be there before the first program runs.
struct Prepared<'a> {
    /// None on the virtual engine.
    real: Option<Real<'a>>,
    cancelled: &'a AtomicBool,
    environment: BTreeMap<String, Value>,
}

struct Real<'a> {
    _claim: Claim,
    options: &'a RealOptions,
    launcher: Launcher,
    recorder: PathBuf,
    programs: build::Programs,
}

impl<'a> Prepared<'a> {
    fn new(
        request: &'a Request,
        progress: &mut dyn Progress,
        cancelled: &'a AtomicBool,
    ) -> Result<Self, ValidationError> {
        let mut environment = environment(request);
        let Engine::Real(options) = &request.engine else {
            return Ok(Prepared { real: None, cancelled, environment });
        };
        let claim = Claim::of(&options.dir, RUNS_OF_ATS)?;
        let (launcher, mpi) = choose_launcher(options.launcher.as_ref())?;
        launcher.check(mpi)?;
        progress.step(Step::Building("the recorder"));
        let recorder = build::recorder(mpi, cancelled)?;
        progress.step(Step::Building("the programs"));
        let subjects = request.programs.iter().map(|planned| &planned.subject);
        let programs = build::programs(subjects, mpi, cancelled)?;
        environment.extend([
            ("mpi".to_owned(), json!(mpi.name())),
            ("launcher".to_owned(), json!(launcher.path)),
            ("launcher_version".to_owned(), json!(launcher.version)),
            ("command_lines".to_owned(), json!({})),
        ]);
        let real = Some(Real { _claim: claim, options, launcher, recorder, programs });
        Ok(Prepared { real, cancelled, environment })
    }
}

impl Runner for Prepared<'_> {
    fn run(&mut self, planned: &Planned, nominal: &Truth, folder: &str) -> Result<Ran, Failure> {
        let (analysis, observed, environment) = match &self.real {
            None => (on_virtual_engine(planned)?, nominal.clone(), BTreeMap::new()),
            Some(Real { options, launcher, recorder, programs, .. }) => {
                let Planned { subject, size } = planned;
                let executable = programs.executable(subject);
                let run = Run {
                    subject,
                    executable: &executable,
                    size: *size,
                    launcher: subject.needs().ranks.then_some(launcher),
                    recorder: Some(recorder),
                    options: &options.options,
                    time: options.time,
                };
                let dir = options.dir.join(folder);
                note_command(&mut self.environment, folder, &run.command(&dir));
                let folder = RunFolder(&dir);
                let reference = folder.reference();
                let recorded = run.record(&dir, self.cancelled)?;
                run.refer(&reference, self.cancelled)?;
                run.check_semantics(&dir, &reference, self.cancelled)?;
                let Recorded { analysis, observed, witnesses } = recorded;
                keep(folder.nominal(), nominal);
                keep(folder.observed(), &observed);
                keep(folder.analysis(), &analysis);
                (analysis, observed, of_run(witnesses))
            }
        };
        let report = Report::from(analysis);
        Ok(Ran { report, call_paths: CallPaths::UserRegions, observed, bare: None, environment })
    }

    fn dir(&self) -> Option<&Path> {
        self.real.as_ref().map(|real| real.options.dir.as_path())
    }
}

fn on_virtual_engine(planned: &Planned) -> Result<Analysis, Failure> {
    let Planned { subject, size } = planned;
    let failure = |message: String| Failure { status: RunStatus::Crashed, message };
    let trace = ideal_trace::in_memory(subject, *size, &TruthOptions::default())
        .map_err(|error| failure(error.to_string()))?;
    let name = format!("{} on the virtual engine", subject.name());
    ats_analyzer::analyze(&trace, &name, &ats_analyzer::Options::default())
        .map_err(|error| failure(error.to_string()))
}

fn environment(request: &Request) -> BTreeMap<String, Value> {
    let engine = match request.engine {
        Engine::Virtual => "virtual",
        Engine::Real(_) => "mpi",
    };
    let tool = [
        ("tool", json!("ats-analyzer")),
        ("tool_version", json!(env!("CARGO_PKG_VERSION"))),
        ("engine", json!(engine)),
    ];
    let mut environment = of_machine();
    environment.extend(tool.map(|(name, value)| (name.to_owned(), value)));
    environment
}
