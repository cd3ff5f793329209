//! Programs under a tool: each is run without it and with it, and what the tool says is judged.
//!
//! It is not [`crate::pipeline`] with another tool: there a program is run once to be judged, here twice, in the way
//! that the tool's description says; and there each program is a result, here all of them are one score.

use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::SystemTime;

use ats_documents::validation::{Intrusiveness, RunStatus};
use ats_documents::{Causes, Finding, Score, Truth};
use ats_props::Catalogue;
use serde_json::json;

use crate::score::judge::Rules;
use crate::score::{Scored, environment, score};
use crate::session::{Done, Ran, Runner, Session, each};
use ats_launch::environment::{common, note_command, of_run};
use ats_launch::folder::{RunFolder, keep};
use ats_launch::launch::{Limits, run};
use ats_launch::progress::Progress;
use ats_launch::ready::{NotReady, Ready, RealOptions};
use ats_launch::semantics::by_itself;
use ats_launch::tool::{Places, Tool};
use ats_launch::{Failure, Run, empty, status};
use ats_reports::source::Wanted;
use ats_truth::{Planned, TruthOptions};
use seen::Seen;

mod seen;

/// The tool, the programs to be run under it, and the options.
#[derive(Clone, Debug)]
pub struct Request {
    /// The tool.
    pub tool: Tool,
    /// The programs to be run.
    pub programs: Vec<Planned>,
    /// The options of real runs.
    pub options: RealOptions,
    /// The rules of judgement.
    pub rules: Rules,
    /// The properties that a program may show.
    pub catalogue: Catalogue,
    /// The number of runs of each program.
    pub repeats: u32,
    /// Whether root causes are judged, too.
    pub causes: bool,
}

/// Runs every program without the tool and with it, and scores what the tool says.
///
/// Of each run the nominal and the observed truth and the report are kept in its folder, so that `ats score` can be
/// asked again.
///
/// # Errors
/// The tool is not there, or nothing can be run at all.
pub fn validate(
    request: &Request,
    progress: &mut dyn Progress,
    cancelled: &AtomicBool,
) -> Result<Score, NotReady> {
    let mut under = Under::new(request, progress, cancelled)?;
    let repeats = request.repeats.max(1);
    let folders = Planned::folders(&request.programs);
    let runs: Vec<_> = (1..=repeats)
        .flat_map(|repeat| {
            let name = move |folder: &String| {
                if repeat == 1 { folder.clone() } else { format!("{folder}@{repeat}") }
            };
            request.programs.iter().zip(folders.iter().map(name))
        })
        .collect();
    let session = Session::new(runs.len(), request.rules, &request.catalogue, cancelled);
    each(&mut under, runs, session, progress, Under::collect);
    let Under { mut scored, names, .. } = under;
    let common = common(scored.results.iter_mut().map(|result| &mut result.environment));
    scored.environment.extend(common.map(|common| ("run".to_owned(), common)));
    // What is not known of any report, the description says.
    scored.diagnoses = names.unwrap_or(true);
    Ok(score(scored, &request.catalogue))
}

/// The state of a session under a tool: its constants, and the results so far.
struct Under<'a> {
    request: &'a Request,
    ready: Ready,
    cancelled: &'a AtomicBool,
    scored: Scored,
    /// Whether reports name wait states, as far as there were any.
    names: Option<bool>,
}

impl<'a> Under<'a> {
    fn new(
        request: &'a Request,
        progress: &mut dyn Progress,
        cancelled: &'a AtomicBool,
    ) -> Result<Self, NotReady> {
        let Request { tool, options, .. } = request;
        let mut ready = Ready::new(&request.programs, options, Some(tool), progress, cancelled)?;
        let words = tool.program_options(options.options.clone());
        let mut environment = environment(Some(tool));
        environment.insert("engine".to_owned(), json!("mpi"));
        environment.append(&mut ready.environment);
        let scored = Scored {
            tool: tool.name.clone(),
            options: words.iter().map(|word| word.to_string_lossy().into_owned()).collect(),
            threshold: request.rules.threshold,
            environment,
            ..Scored::default()
        };
        Ok(Under { request, ready, cancelled, scored, names: None })
    }

    /// Takes in what became of a program.
    fn collect(&mut self, Done { result, nominal, ran }: Done) {
        if let Some(nominal) = &nominal
            && !self.scored.truths.contains(nominal)
        {
            self.scored.truths.push(nominal.clone());
        }
        if let Some((nominal, ran)) = nominal.zip(ran) {
            self.names = Some(self.names.unwrap_or(false) || ran.report.diagnoses());
            self.scored.version = self.scored.version.take().or(ran.report.version);
            let intrusion = ran.bare.and_then(|bare| intrusion(&nominal, &bare, &ran.observed));
            self.scored.intrusions.extend(intrusion.map(|intrusion| (result.clone(), intrusion)));
        }
        self.scored.results.push(result);
    }

    /// Runs a command that makes the report: the tool's, and its failure the tool's. Returns the number of processes that
    /// it left behind, which were ended.
    fn process(&self, command: std::process::Command, logs: &Path) -> Result<usize, Failure> {
        let what = command.get_program().to_string_lossy().into_owned();
        let failed = |status, message: String| Failure { status, message: format!("{what}: {message}") };
        fs::create_dir_all(logs).map_err(|error| failed(RunStatus::NotStarted, error.to_string()))?;
        let limits = Limits { time: self.request.options.time, output: 64 << 20, cancelled: self.cancelled };
        let ended =
            run(command, logs, limits).map_err(|error| failed(RunStatus::NotStarted, error.to_string()))?;
        status(&ended).map_or(Ok(ended.left_behind), |status| Err(failed(status, ended.message())))
    }
}

impl Runner for Under<'_> {
    /// Runs it without the tool and with it.
    fn run(&mut self, planned: &Planned, nominal: &Truth, folder: &str) -> Result<Ran, Failure> {
        let tool = self.request.tool.for_programs(planned.subject.needs());
        let unsupported = |message| Failure { status: RunStatus::Unsupported, message };
        let not_started = |message| Failure { status: RunStatus::NotStarted, message };
        if let Some(why) = tool.does_not_know(planned.subject.needs()) {
            return Err(unsupported(why));
        }
        if planned.subject.is_trace_only() {
            let name = planned.subject.name();
            return Err(unsupported(format!(
                "an ideal trace alone: give the tool what `ats trace {name}` writes"
            )));
        }
        if let Some(why) = tool.is_too_large(planned) {
            return Err(not_started(why));
        }
        let executable = self.ready.programs.executable(&planned.subject);
        let (launcher, mpi) = self.ready.launcher(planned);
        let without = Run {
            subject: &planned.subject,
            executable: &executable,
            size: planned.size,
            launcher,
            recorder: None,
            options: &tool.program_options(self.request.options.options.clone()),
            time: self.request.options.time,
            causes: self.request.causes,
        };
        let dir = &self.request.options.dir.join(folder);
        let bare_dir = RunFolder(dir).without();
        empty(dir)?;
        // Also of a run that fails: whoever scores the folder again is not to forget it.
        keep(RunFolder(dir).nominal(), nominal);
        without.execute(&bare_dir, self.cancelled).map_err(by_itself)?;
        let (bare, _) = without.observed(&bare_dir).map_err(by_itself)?;

        let recorder = self.ready.recorder.as_deref();
        let places =
            Places { dir, here: &tool.here, recorder, program: &executable, size: planned.size, mpi };
        for folder in &tool.attach.folders {
            let folder = dir.join(folder);
            fs::create_dir_all(&folder)
                .map_err(|error| not_started(format!("cannot make {}: {error}", folder.display())))?;
        }
        let command = tool.command(without.job(dir), launcher, &places).map_err(not_started)?;
        note_command(&mut self.scored.environment, folder, &command);
        let seen = Seen { tool, program: planned.subject.name(), dir, began: SystemTime::now() };
        let ended = without.start(dir, command, self.cancelled).map_err(|failure| seen.failed(failure))?;
        seen.without_core()?;
        without.check_semantics(dir, &bare_dir, self.cancelled)?;
        let (mut observed, witnesses) = without.observed(dir)?;
        if self.request.causes {
            observed.causes = Some(causes(dir)?);
        }
        keep(RunFolder(dir).observed(), &observed);
        let promised = without.promised(&witnesses)?;
        promised.iter().for_each(|promised| keep(RunFolder(dir).nominal(), promised));
        let after = tool.after(launcher, &places).map_err(not_started)?;
        let mut left_behind = ended.left_behind;
        for (number, command) in after.into_iter().enumerate() {
            left_behind += self.process(command, &RunFolder(dir).after(number))?;
        }
        let report = tool
            .report(dir, Wanted::by(nominal).causes)
            .map_err(|failure| seen.unreported(failure, left_behind))?;
        keep(RunFolder(dir).report(), &report);
        let Some(report) = report else {
            return Err(unsupported(format!("nothing here reads its report, which is in {}", dir.display())));
        };
        let environment = of_run(witnesses);
        let call_paths = tool.shows.call_paths;
        let (explanation, bare, apart) = (None, Some(bare), 0.0);
        Ok(Ran { report, explanation, call_paths, promised, observed, bare, apart, environment })
    }

    fn truth_options(&self) -> TruthOptions {
        TruthOptions { causes: self.request.causes, ..TruthOptions::default() }
    }

    fn dir(&self) -> Option<&Path> {
        Some(&self.request.options.dir)
    }
}

/// The causes in the trace that the tool has left: those of its own run, at its own call paths.
fn causes(dir: &Path) -> Result<Causes, Failure> {
    let traces = RunFolder(dir).traces();
    let [trace] = &traces[..] else {
        let number = traces.len();
        let message = format!("it left {number} traces, where --causes takes one; omit --causes");
        return Err(Failure { status: RunStatus::ParseError, message });
    };
    ats_launch::causes(trace)
}

/// The changes that the tool made to a program's behaviour.
fn intrusion(nominal: &Truth, bare: &Truth, with: &Truth) -> Option<Intrusiveness> {
    let severity = |truth: &Truth, expected: &Finding| {
        let known = truth.findings.iter().find(|finding| finding.id == expected.id);
        known.map_or(0.0, |finding| finding.severity)
    };
    let waits =
        nominal.findings.iter().filter(|finding| finding.property.is_some() && finding.severity > 0.0);
    let changes = waits.map(|expected| severity(with, expected) - severity(bare, expected)).collect();
    let wall_time = with.basis.wall_time / bare.basis.wall_time;
    wall_time.is_finite().then(|| Intrusiveness {
        wall_time,
        severity: ats_documents::score::Spread::over(changes).map(|spread| spread.median),
        of: 1,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn causes_need_one_trace() {
        let dir = tempfile::tempdir().unwrap();
        let refused = |number: usize| {
            let failure = causes(dir.path()).unwrap_err();
            assert_eq!(failure.status, RunStatus::ParseError);
            let why = format!("it left {number} traces, where --causes takes one; omit --causes");
            assert_eq!(failure.message, why);
        };
        refused(0);
        for name in ["one", "two"] {
            fs::create_dir(dir.path().join(name)).unwrap();
            fs::write(dir.path().join(name).join("traces.otf2"), "").unwrap();
        }
        refused(2);
    }
}
