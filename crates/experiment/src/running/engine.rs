//! The engine that does the runs of a plan.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::ideal::times;
use crate::plan::{Combination, PlannedEngine, Template, What};
use crate::{Plan, sequential};
use ats_documents::Profile;
use ats_documents::classes::Classes;
use ats_documents::experiment::IdealTimes;
use ats_documents::score::RunStatus;
use ats_model::delay::Extent;

use super::Request;
use super::ideal;
use super::resolve::{Action, Job, command, filled};
use super::simulated::{Deadline, simulate_within};
use ats_launch::build::Watch;
use ats_launch::claim::ClaimError;
use ats_launch::folder::RunFolder;
use ats_launch::launch::{Limits, run};
use ats_launch::mpi::Mpi;
use ats_launch::progress::Progress;
use ats_launch::ready::{NotReady, Ready, RealOptions, any_recorder};
use ats_launch::{FULL_STACKS, Failure, OUTPUT, Run, STACKS, empty, recording, status};
use ats_reports::source::opening::check_complete;
use ats_truth::{Planned, TruthOptions};

/// The results of a run.
pub(super) struct Ran {
    pub(super) profile: Profile,
    /// Its times if communication cost nothing, if they are known.
    pub(super) ideal: Option<IdealTimes>,
}

/// All that has to be there before the first run.
pub(super) struct Engine<'a> {
    plan: &'a Plan,
    build_time: Duration,
    classes: &'a Classes,
    /// The programs of the suite that are really run.
    ready: Option<Ready>,
    options: Vec<OsString>,
    /// Those for commands, by the key of the MPI library.
    recorders: BTreeMap<&'static str, PathBuf>,
    cancelled: &'a AtomicBool,
}

impl<'a> Engine<'a> {
    /// Builds what these runs need.
    pub(super) fn new<'j>(
        request: &Request<'a>,
        classes: &'a Classes,
        jobs: impl Iterator<Item = &'j Job>,
        progress: &mut dyn Progress,
        cancelled: &'a AtomicBool,
    ) -> Result<Self, NotReady> {
        let &Request { plan, build_time, .. } = request;
        let (options, recorders) = (Vec::new(), BTreeMap::new());
        let mut engine = Engine { plan, build_time, classes, ready: None, options, recorders, cancelled };
        let mut programs: Vec<Planned> = Vec::new();
        let mut watch = Watch { logs: None, progress, time: request.build_time, cancelled };
        for job in jobs {
            match &job.action {
                Action::Simulate(..) => {}
                Action::Program(planned) => programs.push(planned.clone()),
                Action::Command(_, mpi) => {
                    if let Some(mpi) = *mpi
                        && let Entry::Vacant(vacant) = engine.recorders.entry(mpi.key())
                    {
                        vacant.insert(any_recorder(mpi, &mut watch)?);
                    }
                }
            }
        }
        if let What::Program { engine: PlannedEngine::Mpi { launcher, work, seed }, .. } = &plan.what {
            let work = work.iter().map(|work| format!("--work={work}").into());
            engine.options = work.chain(seed.map(|seed| format!("--seed={seed}").into())).collect();
            let launcher = launcher.as_ref().map(OsString::from);
            engine.ready = Some(engine.ready(&programs, launcher, watch.progress)?);
        }
        Ok(engine)
    }

    /// Builds programs of the suite; what a build says is kept where one fails.
    fn ready(
        &self,
        programs: &[Planned],
        launcher: Option<OsString>,
        progress: &mut dyn Progress,
    ) -> Result<Ready, NotReady> {
        let logs = tempfile::Builder::new()
            .prefix("ats-build-")
            .tempdir()
            .map_err(|source| ClaimError::Folder { dir: std::env::temp_dir(), source })?;
        let options = RealOptions {
            launcher,
            time: self.plan.timeout,
            build_time: self.build_time,
            dir: logs.path().to_owned(),
            options: self.options.clone(),
            language: None,
        };
        let ready = Ready::new(programs, &options, None, progress, self.cancelled);
        if ready.is_err() {
            let _ = logs.keep();
        }
        ready
    }

    /// Does a run; whatever it leaves is in `dir`, and its trace in the recording there, if it leaves one and traces
    /// are kept.
    pub(super) fn run(&self, job: &Job, dir: &Path) -> Result<Ran, Failure> {
        let ran = match &job.action {
            Action::Simulate(planned, options, alone) => self.simulate(planned, options, *alone, dir),
            Action::Program(planned) => self.program(planned, dir),
            Action::Command(combination, mpi) => {
                self.command(combination, *mpi, dir).map(|profile| Ran { profile, ideal: None })
            }
        }?;
        fits(&ran.profile, job)?;
        Ok(ran)
    }

    fn simulate(
        &self,
        planned: &Planned,
        options: &TruthOptions,
        alone: bool,
        dir: &Path,
    ) -> Result<Ran, Failure> {
        let deadline = Deadline { time: self.plan.timeout, cancelled: self.cancelled };
        let folder = RunFolder(dir).recording();
        // What one unit does in place of all is worked out and leaves none.
        let folder = Some(folder.as_path()).filter(|_| self.plan.keep_trace && !alone);
        folder.map_or(Ok(()), empty)?;
        let options =
            &TruthOptions { causes: (self.plan.causes && !alone).then_some(Extent::All), ..options.clone() };
        let profile = simulate_within(deadline, planned, options, folder)?;
        if alone {
            return Ok(Ran { profile: sequential(&profile, self.classes), ideal: None });
        }
        let without_cost = ideal::without_cost(options);
        let without_cost = without_cost.map(|options| simulate_within(deadline, planned, &options, None));
        let ideal = without_cost.transpose()?.as_ref().map(|profile| times(profile, ideal::IN_VIRTUAL_TIME));
        Ok(Ran { profile, ideal })
    }

    fn program(&self, planned: &Planned, dir: &Path) -> Result<Ran, Failure> {
        let ready = self.ready.as_ref().expect("programs are built before they are run");
        let run = Run {
            subject: &planned.subject,
            executable: &ready.programs.executable(&planned.subject),
            size: planned.size,
            launcher: ready.launcher(planned).0,
            recorder: ready.recorder.as_deref(),
            options: &self.options,
            time: self.plan.timeout,
            causes: None,
        };
        empty(dir)?;
        self.launch(run.command(dir), dir)?;
        let mut profile = self.recorded(dir)?;
        let ideal = ideal::of_witness(planned, &profile, dir).unwrap_or_else(|error| {
            profile
                .warnings
                .push(format!("its time without the cost of communication is not known: {error}"));
            None
        });
        Ok(Ran { profile, ideal })
    }

    fn command(&self, combination: &Combination, mpi: Option<Mpi>, dir: &Path) -> Result<Profile, Failure> {
        let What::Command { words, environment, report } = &self.plan.what else {
            unreachable!("only commands have runs of commands")
        };
        empty(dir)?;
        let place = dir.to_string_lossy();
        let value = |template: &Template| template.fill(|name| combination.value(name, &place));
        let launched = command(&filled(words, combination, &place), combination.sequential)
            .map_err(|error| Failure { status: RunStatus::NotStarted, message: error.to_string() })?;
        // As `ats record` does, unless the plan says otherwise.
        let mut variables: Vec<(String, OsString)> = vec![(STACKS.to_owned(), FULL_STACKS.into())];
        variables.extend(environment.iter().map(|(name, template)| (name.clone(), value(template).into())));
        let recorder = mpi.and_then(|mpi| self.recorders.get(mpi.key()));
        variables.extend(
            recorder.into_iter().flat_map(|recorder| recording(recorder, &RunFolder(dir).recording())),
        );
        self.launch(launched.with_environment(&variables), dir)?;
        let Some(report) = report else { return self.recorded(dir) };
        let escaped = glob::Pattern::escape(&place);
        let found = left(&report.fill(|name| combination.value(name, &escaped)))?;
        read(&found, None)
    }

    /// The profile of a recorded run.
    fn recorded(&self, dir: &Path) -> Result<Profile, Failure> {
        let trace = RunFolder(dir).trace();
        check_complete(&trace)
            .map_err(|error| Failure { status: RunStatus::ParseError, message: error.to_string() })?;
        read(&trace, self.plan.causes.then_some(Extent::All))
    }

    /// Runs a command to its end.
    fn launch(&self, command: Command, dir: &Path) -> Result<(), Failure> {
        let what = command.get_program().to_string_lossy().into_owned();
        let limits = Limits { time: self.plan.timeout, output: OUTPUT, cancelled: self.cancelled };
        let ended = run(command, dir, limits).map_err(|error| Failure {
            status: RunStatus::NotStarted,
            message: format!("cannot start {what}: {error}"),
        })?;
        status(&ended).map_or(Ok(()), |status| Err(Failure { status, message: ended.message() }))
    }
}

fn read(path: &Path, causes: Option<Extent>) -> Result<Profile, Failure> {
    ats_reports::source::profile_with(path, causes)
        .map_err(|error| Failure { status: RunStatus::ParseError, message: error.to_string() })
}

/// The one report that a run has left.
fn left(pattern: &str) -> Result<PathBuf, Failure> {
    let failed = |status, message| Err(Failure { status, message });
    let found: Vec<PathBuf> = match glob::glob(pattern) {
        Ok(found) => found.flatten().collect(),
        Err(error) => return failed(RunStatus::NoReport, format!("`report`: {error}")),
    };
    match &found[..] {
        [one] => Ok(one.clone()),
        [] => failed(RunStatus::NoReport, "it left no report where the plan says; check `report`".to_owned()),
        [one, other, ..] => {
            let names = [one, other].map(|path| path.file_name().unwrap_or_default().display().to_string());
            let several = format!("it left several reports, {} among them", names.join(" and "));
            failed(RunStatus::SeveralReports, format!("{several}; name one in `report`"))
        }
    }
}

/// Checks that the profile is of as many ranks as were planned; a report may have fewer, of those that it knows nothing of.
fn fits(profile: &Profile, job: &Job) -> Result<(), Failure> {
    let planned = job.given.run.ranks;
    let ran = profile.units.iter().map(|unit| unit.rank + 1).max().unwrap_or(1);
    if ran == planned || ran < planned && matches!(job.action, Action::Command(_, None)) {
        return Ok(());
    }
    let message = format!(
        "the plan says {planned} ranks, and there were {ran}; write {{ranks}} where the command says how many"
    );
    Err(Failure { status: RunStatus::OtherRun, message })
}
