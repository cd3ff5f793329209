//! Programs in, a score out.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use ats_analyzer::Options;
use ats_diagnosis::{Limits, explain_trace};
use ats_documents::score::RunStatus;
use ats_documents::{Explanation, Score};
use ats_launch::Failure;
use ats_launch::environment::common;
use ats_launch::progress::Progress;
use ats_launch::ready::{NotReady, RealOptions};
use ats_launch::tool::Tool;
use ats_model::delay::Extent;
use ats_model::source::EventSource;
use ats_props::Catalogue;
use ats_trace::Archive;
use ats_truth::{Planned, TruthOptions};
use serde_json::json;

use crate::score::judge::Rules;
use crate::score::{self, OWN_TOOL, Scored, score};
use crate::session::{Runner, Session};
use own::Own;
use simulated::Simulated;
use tool::Under;

mod own;
mod seen;
mod simulated;
mod tool;

/// The programs to be run, who reports on them, and the rules of judgement.
#[derive(Clone, Debug)]
pub struct Request {
    /// The programs to be run.
    pub programs: Vec<Planned>,
    /// The reporter.
    pub reporter: Reporter,
    /// The rules of judgement.
    pub rules: Rules,
    /// The waits whose root causes are judged, too.
    pub causes: Option<Extent>,
    /// Whether explanations are judged, too; they need root causes.
    pub explanations: bool,
    /// The number of runs of each program.
    pub repeats: u32,
    /// The properties that a program may show.
    pub catalogue: Catalogue,
}

/// Reporter on runs, and the engine that they run on.
#[derive(Clone, Debug)]
pub enum Reporter {
    /// Our analyzer, on runs in virtual time; needs nothing installed.
    Simulated(TruthOptions),
    /// Our recorder and analyzer, on processes and threads of this machine, those of MPI under a launcher.
    Own(RealOptions),
    /// A tool, on the same: each program is run without it, too.
    Tool(Box<Tool>, RealOptions),
}

impl Reporter {
    /// The options of real runs.
    fn real(&self) -> Option<&RealOptions> {
        match self {
            Reporter::Simulated(_) => None,
            Reporter::Own(options) | Reporter::Tool(_, options) => Some(options),
        }
    }

    fn tool(&self) -> Option<&Tool> {
        match self {
            Reporter::Tool(tool, _) => Some(tool),
            Reporter::Simulated(_) | Reporter::Own(_) => None,
        }
    }

    /// A score without results.
    fn scored(&self, threshold: f64) -> Scored {
        let options = self.real().map_or_else(Vec::new, |real| real.options.clone());
        let options = match self.tool() {
            Some(tool) => tool.program_options(options),
            None => options,
        };
        let mut environment = score::environment(self.tool());
        let engine = if self.real().is_some() { "mpi" } else { "virtual" };
        environment.insert("engine".to_owned(), json!(engine));
        Scored {
            tool: self.tool().map_or(OWN_TOOL, |tool| &tool.name).to_owned(),
            version: self.tool().is_none().then(|| env!("CARGO_PKG_VERSION").to_owned()),
            options: options.iter().map(|word| word.to_string_lossy().into_owned()).collect(),
            threshold,
            environment,
            ..Scored::default()
        }
    }
}

/// Runs and judges every program; one that fails keeps none of the others from it.
///
/// Of each real run the nominal and the observed truth and the report are kept in its folder, so that `ats score` can be
/// asked again.
///
/// # Errors
/// The tool is not there, or nothing can be run at all.
pub fn validate(
    request: &Request,
    progress: &mut dyn Progress,
    cancelled: &AtomicBool,
) -> Result<Score, NotReady> {
    let mut scored = request.reporter.scored(request.rules.threshold);
    let mut runner: Box<dyn Runner> = match &request.reporter {
        Reporter::Simulated(options) => Box::new(Simulated::new(request, options)),
        Reporter::Own(options) => Box::new(Own::new(request, options, progress, cancelled)?),
        Reporter::Tool(tool, options) => Box::new(Under::new(request, tool, options, progress, cancelled)?),
    };
    let folders = Planned::folders(&request.programs);
    let runs: Vec<_> = (1..=request.repeats.max(1))
        .flat_map(|repeat| {
            let name = move |folder: &String| {
                if repeat == 1 { folder.clone() } else { format!("{folder}@{repeat}") }
            };
            request.programs.iter().zip(folders.iter().map(name))
        })
        .collect();
    let session = Session::new(runs.len(), request.rules, &request.catalogue, cancelled);
    let results = session.results(&mut *runner, &runs, progress);
    // What is not known of any report, the tool's description says.
    scored.diagnoses = results.iter().filter_map(|done| done.diagnoses).reduce(|a, b| a || b).unwrap_or(true);
    for done in results {
        scored.version = scored.version.take().or(done.version);
        scored.take(done.nominal, done.result);
    }
    scored.environment.append(&mut runner.environment());
    let common = common(scored.results.iter_mut().map(|result| &mut result.environment));
    scored.environment.extend(common.map(|common| ("run".to_owned(), common)));
    Ok(score(scored, &request.catalogue))
}

/// The explanation of a trace, with all problems.
fn explained<S: EventSource>(trace: &S, name: &str) -> Result<Explanation, String> {
    let explained = explain_trace(trace, name, &Options::default(), Limits::NONE, &mut |_| {});
    explained.map(|explained| explained.explanation).map_err(|error| error.to_string())
}

/// The explanation of the trace of a run.
fn explained_run(trace: &Path) -> Result<Explanation, Failure> {
    let unreadable = |message: String| Failure { status: RunStatus::ParseError, message };
    let archive = Archive::open(trace).map_err(|error| unreadable(error.to_string()))?;
    explained(&archive, &trace.display().to_string()).map_err(unreadable)
}
