//! The runs of a plan: those that a repository of experiments does not have yet are run, recorded and kept there.
//!
//! Many may carry out plans in one repository: a run is claimed by who runs it. Whoever is killed leaves a folder in
//! `.running` at most, which is emptied by who runs that run next.

mod engine;
mod ideal;
mod resolve;
mod simulated;

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use std::time::SystemTime;

use crate::{Beside, Given, Plan, PlanError, Repeat, Repository, RepositoryError, Standing, of_profile};
use ats_documents::PlannedRuns;
use ats_documents::classes::{Classes, ClassesError};
use ats_documents::experiment::{FailedRun, Listed, PlannedRun, RunState};
use ats_documents::score::RunStatus;
use ats_props::Catalogue;
use sha2::{Digest, Sha256};
use thiserror::Error;

use ats_launch::Failure;
use ats_launch::claim::{Claim, ClaimError};
use ats_launch::folder::RunFolder;
use ats_launch::progress::{Progress, Step};
use ats_launch::ready::NotReady;
use engine::{Engine, Ran};
use resolve::{Job, jobs};

pub use ideal::ideal_times;
pub use simulated::{named_after, simulate};

/// A plan to be carried out, and the folder that keeps its runs.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// The folder of the repository.
    pub repository: &'a Path,
    /// The plan.
    pub plan: &'a Plan,
    /// The programs that it may name.
    pub catalogue: &'a Catalogue,
    /// Whether what failed is run again.
    pub failed_again: bool,
    /// The longest time that a build may take.
    pub build_time: Duration,
}

/// Why nothing of a plan is run, or no more of it.
#[derive(Debug, Error)]
pub enum NotCarriedOut {
    /// It cannot be.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// The rules for what the time in regions is spent on are wrong.
    #[error(transparent)]
    Classes(#[from] ClassesError),
    /// The repository is none, or takes nothing more.
    #[error(transparent)]
    Repository(#[from] RepositoryError),
    /// Something is missing here.
    #[error(transparent)]
    NotReady(#[from] NotReady),
}

/// The runs of the plan and their state, without running or making anything.
///
/// # Errors
/// The plan cannot be carried out, or the folder is no repository.
pub fn look(request: &Request<'_>) -> Result<PlannedRuns, NotCarriedOut> {
    let jobs = jobs(request.plan, request.catalogue)?;
    let repository = Repository::open_if_there(request.repository)?;
    Ok(known(request, &jobs, repository.as_ref()))
}

/// Runs what the repository does not have, one run after the other; a run that fails keeps none of the others from it.
///
/// # Errors
/// The plan cannot be carried out, nothing can be run at all, or the repository does not take what was run.
pub fn carry_out(
    request: &Request<'_>,
    progress: &mut dyn Progress,
    cancelled: &AtomicBool,
) -> Result<PlannedRuns, NotCarriedOut> {
    let plan = request.plan;
    let jobs = jobs(plan, request.catalogue)?;
    let classes = plan.classes.as_deref().map(Classes::read).transpose()?.unwrap_or_default();
    let repository = Repository::create(request.repository)?;
    let began = now();
    let mut known = known(request, &jobs, Some(&repository));
    let left: Vec<usize> = (0..jobs.len()).filter(|at| known.runs[*at].state == RunState::Left).collect();
    if left.is_empty() {
        return Ok(known);
    }
    let wanted = left.iter().map(|at| &jobs[*at]);
    let engine = Engine::new(request, &classes, wanted, progress, cancelled)?;
    let keeper = Keeper {
        repository: &repository,
        engine: &engine,
        classes: &classes,
        failed_again: request.failed_again,
        keep_trace: plan.keep_trace,
        began,
    };
    for (done, at) in left.iter().enumerate() {
        if cancelled.load(Ordering::Relaxed) {
            break;
        }
        let (job, run) = (&jobs[*at], &mut known.runs[*at]);
        progress.step(Step::Running { program: &job.id, done, of: left.len() });
        keeper.run(job, run)?;
        let message = run.message.as_deref();
        progress.step(Step::Ended { program: &job.id, message });
    }
    keeper.elsewhere(&mut known);
    // It stays where another command runs something.
    let _ = fs::remove_dir(repository.running());
    Ok(known)
}

/// The right to do a run; whoever has done it removes the folder, which may be just before it is claimed.
fn claim(dir: &Path) -> Result<Claim, ClaimError> {
    let mut left = 16;
    loop {
        left -= 1;
        match Claim::acquire(dir, "ats-experiment") {
            Err(ClaimError::Folder { source, .. }) if source.kind() == ErrorKind::NotFound && left > 0 => {}
            claim => return claim,
        }
    }
}

/// The runs of a plan, with their state in the repository, if there is one.
fn known(request: &Request<'_>, jobs: &[Job], repository: Option<&Repository>) -> PlannedRuns {
    let ids: Vec<&str> = jobs.iter().map(|job| job.id.as_str()).collect();
    let standing = repository.map(|repository| repository.standing(&ids)).unwrap_or_default();
    let standing = standing.into_iter().chain(std::iter::repeat_with(|| Standing::Unknown));
    let (mut runs, mut others) = (Vec::new(), Vec::new());
    for (job, standing) in jobs.iter().zip(standing) {
        let mut run = job.planned();
        match standing {
            Standing::Unknown => {}
            Standing::Kept(listed) => {
                others.extend(job.differs(&listed).map(|how| (job.id.as_str(), how)));
                run.keep(*listed);
            }
            Standing::Failed(_) if request.failed_again => {}
            Standing::Failed(failed) => run.fail(failed.run_status, failed.message.clone()),
            Standing::Damaged(error) => {
                (run.state, run.message) = (RunState::Damaged, Some(error.to_string()));
            }
        }
        runs.push(run);
    }
    let warning = others.first().map(|(id, how)| {
        let more = match others.len() - 1 {
            0 => String::new(),
            more => format!(" (and so are {more} more)"),
        };
        format!("{id} is there already, {how}{more}; give the plan a `version` of its own if it is another program")
    });
    PlannedRuns {
        schema: PlannedRuns::SCHEMA.to_owned(),
        plan: request.plan.file.clone(),
        repository: request.repository.display().to_string(),
        runs,
        warnings: warning.into_iter().collect(),
    }
}

impl Job {
    /// The run as planned, before it has been run.
    fn planned(&self) -> PlannedRun {
        let Given { application, version, run, .. } = self.given.clone();
        let listed =
            Listed { id: self.id.clone(), application, version: version.name, run, metrics: Vec::new() };
        PlannedRun { listed, ..PlannedRun::default() }
    }

    /// The difference in origin from the run kept under the same name, in words; `None` if there is none or it is not
    /// known.
    fn differs(&self, kept: &Listed) -> Option<String> {
        match (&self.given.run.command, &kept.run.command) {
            (Some(own), Some(kept)) => (own != kept).then(|| format!("of the command `{kept}`")),
            (Some(_), None) => None,
            (None, _) => {
                let (own, kept) = (&self.given.run.source, &kept.run.source);
                (own != kept).then(|| format!("of {kept}"))
            }
        }
    }
}

/// The repository, engine and options that apply to each run.
struct Keeper<'a> {
    repository: &'a Repository,
    engine: &'a Engine<'a>,
    classes: &'a Classes,
    failed_again: bool,
    keep_trace: bool,
    /// When all was looked at.
    began: String,
}

/// By RFC 3339, to the second.
fn now() -> String {
    humantime::format_rfc3339_seconds(SystemTime::now()).to_string()
}

impl Keeper<'_> {
    /// Runs it, unless another command does or just has, and keeps the result.
    fn run(&self, job: &Job, run: &mut PlannedRun) -> Result<(), NotCarriedOut> {
        let dir = self.place(&job.id);
        let claim = match claim(&dir) {
            Ok(claim) => claim,
            Err(error @ ClaimError::InUse { .. }) => {
                (run.state, run.message) = (RunState::Running, Some(error.to_string()));
                return Ok(());
            }
            Err(error) => return Err(NotReady::from(error).into()),
        };
        let done = self.run_claimed(job, run, &dir.join("run"));
        // Whoever waits for the claim finds it kept, or runs it in a folder of its own.
        let _ = fs::remove_dir_all(&dir);
        drop(claim);
        done
    }

    fn run_claimed(&self, job: &Job, run: &mut PlannedRun, dir: &Path) -> Result<(), NotCarriedOut> {
        // Somebody else may have done it since all was looked at.
        match self.repository.standing(&[&job.id]).pop() {
            Some(Standing::Kept(listed)) => {
                run.keep(*listed);
                return Ok(());
            }
            Some(Standing::Failed(failed))
                if !self.failed_again || failed.listed.run.date.as_ref() > Some(&self.began) =>
            {
                run.fail(failed.run_status, failed.message.clone());
                return Ok(());
            }
            _ => {}
        }
        let date = now();
        let ran = self.engine.run(job, dir);
        if let Err(Failure { status: RunStatus::Cancelled, .. }) = ran {
            return Ok(());
        }
        run.ran = true;
        let mut given = job.given.clone();
        given.run.date = given.run.date.or_else(|| job.is_real().then_some(date));
        let Ran { mut profile, ideal } = match ran {
            Ok(ran) => ran,
            Err(Failure { status, message }) => {
                let listed = Listed { run: given.run, ..run.listed.clone() };
                let failed = FailedRun { listed, run_status: status, message: message.clone() };
                self.repository.add_failed(&failed)?;
                run.fail(status, message);
                return Ok(());
            }
        };
        // What it was read from is gone in a moment.
        profile.source.clone_from(&given.run.source);
        given.ideal = ideal;
        let repeat = Repeat::Number(given.run.repeat);
        let experiment = of_profile(&profile, given, self.classes);
        let trace = Some(RunFolder(dir).recording()).filter(|trace| self.keep_trace && trace.is_dir());
        let beside = Beside { profile: Some(&profile), trace: trace.as_deref() };
        match self.repository.add(experiment, beside, &job.told, repeat) {
            Ok(listed) => run.keep(listed),
            Err(RepositoryError::There { .. }) => run.state = RunState::Kept,
            Err(error) => return Err(error.into()),
        }
        Ok(())
    }

    /// Updates the runs that other commands were running.
    fn elsewhere(&self, known: &mut PlannedRuns) {
        for run in known.runs.iter_mut().filter(|run| run.state == RunState::Running) {
            match self.repository.standing(&[&run.listed.id]).pop() {
                Some(Standing::Kept(listed)) => run.keep(*listed),
                Some(Standing::Failed(failed)) => run.fail(failed.run_status, failed.message.clone()),
                _ => {}
            }
        }
    }

    /// The folder of a run while it runs, with a name that every launcher takes.
    fn place(&self, id: &str) -> PathBuf {
        let hash: String = Sha256::digest(id).iter().take(8).map(|byte| format!("{byte:02x}")).collect();
        let running = self.repository.running();
        std::path::absolute(&running).unwrap_or(running).join(hash)
    }
}
