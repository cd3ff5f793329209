//! Programs in, scores out: what our own recorder and analyzer, or the virtual engine and the analyzer, make of them.

use std::collections::BTreeMap;
use std::panic::resume_unwind;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::thread;

use ats_analyzer::Options;
use ats_diagnosis::{Limits, explain_trace};
use ats_documents::validation::RunStatus;
use ats_documents::{Explanation, Report, Truth, Validation};
use ats_model::source::{EventSource, InMemory};
use ats_props::Catalogue;
use ats_trace::Archive;
use serde_json::{Value, json};

use crate::score;
use crate::score::judge::Rules;
use crate::session::{Done, Ran, Runner, Session, each};
use ats_launch::environment::{common, note_command, of_machine, of_run};
use ats_launch::folder::{RunFolder, keep};
use ats_launch::progress::Progress;
use ats_launch::ready::{NotReady, Ready, RealOptions};
use ats_launch::tool::CallPaths;
use ats_launch::{Failure, Recorded, Run, analyzed};
use ats_truth::{Planned, TruthError, TruthOptions, ideal_trace, network_in_words, processors_in_words};

/// The programs to be validated, the engine, and the rules of judgement.
#[derive(Clone, Debug)]
pub struct Request {
    /// The programs to be run.
    pub programs: Vec<Planned>,
    /// The engine that runs them.
    pub engine: Engine,
    /// The rules of judgement.
    pub rules: Rules,
    /// Whether root causes are judged, too.
    pub causes: bool,
    /// Whether explanations are judged, too; they need root causes.
    pub explanations: bool,
    /// The properties that a program may show.
    pub catalogue: Catalogue,
}

/// The engine that the programs run on.
#[derive(Clone, Debug)]
pub enum Engine {
    /// In virtual time; needs nothing installed.
    Virtual(TruthOptions),
    /// As processes and threads of this machine, those of MPI under a launcher.
    Real(RealOptions),
}

impl Engine {
    /// The options for computing the nominal truth of its programs.
    fn truth_options(&self) -> TruthOptions {
        match self {
            Engine::Virtual(options) => options.clone(),
            Engine::Real(_) => TruthOptions::default(),
        }
    }
}

/// Runs and judges every program; one that fails keeps none of the others from it.
///
/// # Errors
/// Nothing can be run at all.
pub fn validate(
    request: &Request,
    progress: &mut dyn Progress,
    cancelled: &AtomicBool,
) -> Result<Validation, NotReady> {
    let mut engine = OnEngine::new(request, progress, cancelled)?;
    let runs: Vec<_> = request.programs.iter().zip(Planned::folders(&request.programs)).collect();
    let session = Session::new(runs.len(), request.rules, &request.catalogue, cancelled);
    let mut programs = Vec::new();
    let take = |_: &mut OnEngine<'_>, done: Done| programs.push(done.result);
    each(&mut engine, runs, session, progress, take);
    let mut environment = engine.environment;
    let common = common(programs.iter_mut().map(|program| &mut program.environment));
    environment.extend(common.map(|common| ("run".to_owned(), common)));
    Ok(Validation {
        schema: Validation::SCHEMA.to_owned(),
        totals: score::totals(&programs, request.rules.threshold, &request.catalogue),
        programs,
        environment,
    })
}

/// The engine, and what is to be told of it.
struct OnEngine<'a> {
    /// Of virtual time.
    options: TruthOptions,
    explains: bool,
    /// None on the virtual engine.
    real: Option<(&'a RealOptions, Ready)>,
    cancelled: &'a AtomicBool,
    environment: BTreeMap<String, Value>,
}

impl<'a> OnEngine<'a> {
    fn new(
        request: &'a Request,
        progress: &mut dyn Progress,
        cancelled: &'a AtomicBool,
    ) -> Result<Self, NotReady> {
        let mut environment = environment(request);
        let real = match &request.engine {
            Engine::Virtual(_) => None,
            Engine::Real(options) => {
                let mut ready = Ready::new(&request.programs, options, None, progress, cancelled)?;
                environment.append(&mut ready.environment);
                Some((options, ready))
            }
        };
        let options = TruthOptions { causes: request.causes, ..request.engine.truth_options() };
        Ok(OnEngine { options, explains: request.explanations, real, cancelled, environment })
    }
}

impl Runner for OnEngine<'_> {
    fn run(&mut self, planned: &Planned, nominal: &Truth, folder: &str) -> Result<Ran, Failure> {
        let real = self.real.as_ref().filter(|_| !planned.subject.is_trace_only());
        let mut explanation = None;
        let (analysis, promised, observed, apart, environment) = match real {
            None => {
                let (name, trace) = on_virtual_engine(planned, &self.options)?;
                let crashed = |error: String| Failure { status: RunStatus::Crashed, message: error };
                let analysis =
                    analyzed(&trace, &name, nominal).map_err(|error| crashed(error.to_string()))?;
                if self.explains {
                    explanation = Some(explained(&trace, &name).map_err(crashed)?);
                }
                (analysis, None, nominal.clone(), 0.0, BTreeMap::new())
            }
            Some((options, ready)) => {
                let run = Run {
                    subject: &planned.subject,
                    executable: &ready.programs.executable(&planned.subject),
                    size: planned.size,
                    launcher: ready.launcher(planned).0,
                    recorder: ready.recorder.as_deref(),
                    options: &options.options,
                    time: options.time,
                    causes: self.options.causes,
                };
                let dir = options.dir.join(folder);
                note_command(&mut self.environment, folder, &run.command(&dir));
                let folder = RunFolder(&dir);
                let reference = folder.reference();
                run.execute(&dir, self.cancelled)?;
                // Nothing is measured any more: while it runs by itself, its trace is read.
                let (referred, recorded) = thread::scope(|scope| {
                    let referred = scope.spawn(|| run.refer(&reference, self.cancelled));
                    let recorded = run.recorded(&dir);
                    (referred.join().unwrap_or_else(|panic| resume_unwind(panic)), recorded)
                });
                let recorded = recorded?;
                referred?;
                run.check_semantics(&dir, &reference, self.cancelled)?;
                let Recorded { analysis, observed, witnesses, apart } = recorded;
                let promised = run.promised(&witnesses)?;
                keep(folder.nominal(), promised.as_ref().unwrap_or(nominal));
                keep(folder.observed(), &observed);
                keep(folder.analysis(), &analysis);
                if self.explains {
                    let trace = folder.trace();
                    let unreadable = |message: String| Failure { status: RunStatus::ParseError, message };
                    let archive = Archive::open(&trace).map_err(|error| unreadable(error.to_string()))?;
                    let of_run = explained(&archive, &trace.display().to_string()).map_err(unreadable)?;
                    keep(folder.explanation(), &of_run);
                    explanation = Some(of_run);
                }
                (analysis, promised, observed, apart, of_run(witnesses))
            }
        };
        let report = Report::from(analysis);
        let call_paths = CallPaths::UserRegions;
        Ok(Ran { report, explanation, call_paths, promised, observed, bare: None, apart, environment })
    }

    fn truth_options(&self) -> TruthOptions {
        self.options.clone()
    }

    fn dir(&self) -> Option<&Path> {
        self.real.as_ref().map(|(options, _)| options.dir.as_path())
    }
}

/// The trace of a program in virtual time, and its name.
fn on_virtual_engine(planned: &Planned, options: &TruthOptions) -> Result<(String, InMemory), Failure> {
    let Planned { subject, size } = planned;
    let failure = |error: TruthError| Failure { status: RunStatus::Crashed, message: error.to_string() };
    let trace = ideal_trace::in_memory(subject, *size, options).map_err(failure)?;
    Ok((format!("{} on the virtual engine", subject.name()), trace))
}

/// The explanation of a trace, with all problems.
fn explained<S: EventSource>(trace: &S, name: &str) -> Result<Explanation, String> {
    let explained = explain_trace(trace, name, &Options::default(), Limits::NONE, &mut |_| {});
    explained.map(|explained| explained.explanation).map_err(|error| error.to_string())
}

fn environment(request: &Request) -> BTreeMap<String, Value> {
    let engine = match request.engine {
        Engine::Virtual(_) => "virtual",
        Engine::Real(_) => "mpi",
    };
    let options = request.engine.truth_options();
    let network = network_in_words(&options.network);
    let processors = options.processors.as_ref().map(processors_in_words);
    let tool = [
        ("tool", json!("ats-analyzer")),
        ("tool_version", json!(env!("CARGO_PKG_VERSION"))),
        ("engine", json!(engine)),
    ];
    let mut environment = of_machine();
    environment.extend(tool.map(|(name, value)| (name.to_owned(), value)));
    let machine = [("network", network), ("processors", processors)];
    environment
        .extend(machine.into_iter().filter_map(|(name, words)| Some((name.to_owned(), json!(words?)))));
    environment
}
