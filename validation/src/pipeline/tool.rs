//! A tool, on real runs of programs without it and with it, in the way that its description says.

use std::collections::BTreeMap;
use std::fs;
use std::mem;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::SystemTime;

use ats_documents::Truth;
use ats_documents::score::RunStatus;
use ats_launch::environment::{note_command, of_run};
use ats_launch::folder::{RunFolder, keep};
use ats_launch::launch::{Limits, run};
use ats_launch::progress::Progress;
use ats_launch::ready::{NotReady, Ready, RealOptions};
use ats_launch::semantics::by_itself;
use ats_launch::tool::{Places, Tool};
use ats_launch::{Failure, Run, causes, empty, status};
use ats_reports::source::Wanted;
use ats_truth::{Planned, TruthOptions};
use serde_json::Value;

use super::seen::Seen;
use super::{Request, explained_run};
use crate::session::{Ran, Runner};

/// A tool, as far as it is ready.
pub(super) struct Under<'a> {
    request: &'a Request,
    tool: &'a Tool,
    options: &'a RealOptions,
    ready: Ready,
    environment: BTreeMap<String, Value>,
    cancelled: &'a AtomicBool,
}

impl<'a> Under<'a> {
    pub(super) fn new(
        request: &'a Request,
        tool: &'a Tool,
        options: &'a RealOptions,
        progress: &mut dyn Progress,
        cancelled: &'a AtomicBool,
    ) -> Result<Self, NotReady> {
        let mut ready = Ready::new(&request.programs, options, Some(tool), progress, cancelled)?;
        let environment = mem::take(&mut ready.environment);
        Ok(Under { request, tool, options, ready, environment, cancelled })
    }

    /// Runs a command that makes the report: the tool's, and its failure the tool's. Returns the number of processes that
    /// it left behind, which were ended.
    fn process(&self, command: Command, logs: &Path) -> Result<usize, Failure> {
        let what = command.get_program().to_string_lossy().into_owned();
        let failed = |status, message: String| Failure { status, message: format!("{what}: {message}") };
        fs::create_dir_all(logs).map_err(|error| failed(RunStatus::NotStarted, error.to_string()))?;
        let limits = Limits { time: self.options.time, output: 64 << 20, cancelled: self.cancelled };
        let ended =
            run(command, logs, limits).map_err(|error| failed(RunStatus::NotStarted, error.to_string()))?;
        status(&ended).map_or(Ok(ended.left_behind), |status| Err(failed(status, ended.message())))
    }

    /// Runs a program without the tool, then with it by this command, and reads its report.
    fn attached(
        &self,
        tool: &Tool,
        without: &Run<'_>,
        places: &Places<'_>,
        command: Command,
        wanted: Wanted<'_>,
    ) -> Result<Ran, Failure> {
        let dir = places.dir;
        let bare_dir = RunFolder(dir).without();
        without.execute(&bare_dir, self.cancelled).map_err(by_itself)?;
        let (bare, _) = without.observed(&bare_dir).map_err(by_itself)?;

        let seen = Seen { tool, program: without.subject.name(), dir, began: SystemTime::now() };
        let ended = without.start(dir, command, self.cancelled).map_err(|failure| seen.failed(failure))?;
        seen.without_core()?;
        without.check_semantics(dir, &bare_dir, self.cancelled)?;
        let (mut observed, witnesses) = without.observed(dir)?;
        let trace = self.request.causes.is_some().then(|| only_trace(dir)).transpose()?;
        let of_trace = trace.as_deref().zip(self.request.causes);
        observed.causes = of_trace.map(|(trace, extent)| causes(trace, extent)).transpose()?;
        let promised = without.promised(&witnesses)?;
        let after = tool
            .after(without.launcher, places)
            .map_err(|message| Failure { status: RunStatus::NotStarted, message })?;
        let mut left_behind = ended.left_behind;
        for (number, command) in after.into_iter().enumerate() {
            left_behind += self.process(command, &RunFolder(dir).after(number))?;
        }
        let report = tool.report(dir, wanted).map_err(|failure| seen.unreported(failure, left_behind))?;
        keep(RunFolder(dir).report(), &report);
        let report = report.ok_or_else(|| Failure {
            status: RunStatus::Unsupported,
            message: format!("nothing here reads its report, which is in {}", dir.display()),
        })?;
        let explained = trace.filter(|_| self.request.explanations);
        let explanation = explained.as_deref().map(explained_run).transpose()?;
        let environment = of_run(witnesses);
        let call_paths = tool.shows.call_paths;
        Ok(Ran {
            report,
            explanation,
            call_paths,
            promised,
            observed,
            bare: Some(bare),
            apart: 0.0,
            environment,
        })
    }
}

impl Runner for Under<'_> {
    /// Runs it without the tool and with it.
    fn run(&mut self, planned: &Planned, nominal: &Truth, folder: &str) -> Result<Ran, Failure> {
        let tool = self.tool.for_programs(planned.subject.needs());
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
            options: &tool.program_options(self.options.options.clone()),
            time: self.options.time,
            causes: self.request.causes,
        };
        let dir = &self.options.dir.join(folder);
        empty(dir)?;
        for folder in &tool.attach.folders {
            let folder = dir.join(folder);
            fs::create_dir_all(&folder)
                .map_err(|error| not_started(format!("cannot make {}: {error}", folder.display())))?;
        }
        let recorder = self.ready.recorder.as_deref();
        let places =
            Places { dir, here: &tool.here, recorder, program: &executable, size: planned.size, mpi };
        let command = tool.command(without.job(dir), launcher, &places).map_err(not_started)?;
        note_command(&mut self.environment, folder, &command);
        let ran = self.attached(tool, &without, &places, command, Wanted::by(nominal));
        // Not before: nothing that the tool runs is to find the truth. Of a run that failed, too: whoever scores the folder
        // again is not to forget it.
        let promised = ran.as_ref().ok().and_then(|ran| ran.promised.as_ref());
        keep(RunFolder(dir).nominal(), promised.unwrap_or(nominal));
        ran.iter().for_each(|ran| keep(RunFolder(dir).observed(), &ran.observed));
        ran
    }

    fn truth_options(&self) -> TruthOptions {
        TruthOptions { causes: self.request.causes, ..TruthOptions::default() }
    }

    fn dir(&self) -> Option<&Path> {
        Some(&self.options.dir)
    }

    fn environment(&mut self) -> BTreeMap<String, Value> {
        mem::take(&mut self.environment)
    }
}

/// The trace that the tool has left: root causes and explanations are those of its own run, at its own call paths.
fn only_trace(dir: &Path) -> Result<PathBuf, Failure> {
    let mut traces = RunFolder(dir).traces();
    match (traces.len(), traces.pop()) {
        (1, Some(trace)) => Ok(trace),
        (number, _) => Err(Failure {
            status: RunStatus::ParseError,
            message: format!("it left {number} traces, where --causes and --explain take one; omit them"),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn causes_need_one_trace() {
        let dir = tempfile::tempdir().unwrap();
        let refused = |number: usize| {
            let failure = only_trace(dir.path()).unwrap_err();
            assert_eq!(failure.status, RunStatus::ParseError);
            let why = format!("it left {number} traces, where --causes and --explain take one; omit them");
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
