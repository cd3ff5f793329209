//! Our recorder and analyzer, on real runs.

use std::collections::BTreeMap;
use std::mem;
use std::panic::resume_unwind;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::thread;

use ats_documents::{Report, Truth};
use ats_launch::environment::{note_command, of_run};
use ats_launch::folder::{RunFolder, keep};
use ats_launch::progress::Progress;
use ats_launch::ready::{NotReady, Ready, RealOptions};
use ats_launch::tool::CallPaths;
use ats_launch::{Failure, Recorded, Run};
use ats_truth::{Planned, TruthOptions};
use serde_json::Value;

use super::simulated::Simulated;
use super::{Request, explained_run};
use crate::session::{Ran, Runner};

/// The recorder, and the analyzer of its traces.
pub(super) struct Own<'a> {
    request: &'a Request,
    options: &'a RealOptions,
    ready: Ready,
    environment: BTreeMap<String, Value>,
    cancelled: &'a AtomicBool,
    /// The engine for ideal traces, which no program can produce.
    simulated: Simulated,
}

impl<'a> Own<'a> {
    pub(super) fn new(
        request: &'a Request,
        options: &'a RealOptions,
        progress: &mut dyn Progress,
        cancelled: &'a AtomicBool,
    ) -> Result<Self, NotReady> {
        let mut ready = Ready::new(&request.programs, options, None, progress, cancelled)?;
        let environment = mem::take(&mut ready.environment);
        let simulated = Simulated::new(request, &TruthOptions::default());
        Ok(Own { request, options, ready, environment, cancelled, simulated })
    }
}

impl Runner for Own<'_> {
    fn run(&mut self, planned: &Planned, nominal: &Truth, folder: &str) -> Result<Ran, Failure> {
        if planned.subject.is_trace_only() {
            return self.simulated.run(planned, nominal, folder);
        }
        let run = Run {
            subject: &planned.subject,
            executable: &self.ready.programs.executable(&planned.subject),
            size: planned.size,
            launcher: self.ready.launcher(planned).0,
            recorder: self.ready.recorder.as_deref(),
            options: &self.options.options,
            time: self.options.time,
            causes: self.request.causes,
        };
        let dir = self.options.dir.join(folder);
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
        let explains = self.request.explanations;
        let explanation = explains.then(|| explained_run(&folder.trace())).transpose()?;
        explanation.iter().for_each(|explanation| keep(folder.explanation(), explanation));
        Ok(Ran {
            report: Report::from(analysis),
            explanation,
            call_paths: CallPaths::UserRegions,
            promised,
            observed,
            bare: None,
            apart,
            environment: of_run(witnesses),
        })
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
