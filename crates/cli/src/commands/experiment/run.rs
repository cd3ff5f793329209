//! `ats experiment run`.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::Ordering;

use ats_documents::PlannedRuns;
use ats_documents::experiment::RunState;
use ats_experiment::Plan;
use ats_experiment::running::{Request, carry_out, look};
use ats_presentation::text;
use ats_props::Catalogue;
use clap::{Args, ValueEnum};

use crate::cancel;
use crate::commands::run::BuildArgs;
use crate::failure::Failure;
use crate::output::progress::{Line, OfPlan};
use crate::output::{Output, remark, width};

/// Run what a plan says and a repository does not have yet, and keep what it spent
///
/// A plan is a TOML file with a command, or a program of the suite, and the values that it is run with, all
/// combinations of them (`ats schema ats-plan/1`). Asked again, the command goes on where it was interrupted. A run
/// that fails is kept as one that failed. The answer is what has become of all runs.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  ats experiment run REPO plan.toml --dry-run
  ats experiment run REPO plan.toml
  ats experiment run REPO plan.toml --again failed")]
pub(crate) struct Run {
    /// The folder; one that is not there, or empty, becomes a repository.
    #[arg(value_name = "REPO")]
    repository: PathBuf,
    /// The plan.
    #[arg(value_name = "PLAN.toml")]
    plan: PathBuf,
    /// Say what would be run, and run nothing.
    #[arg(long)]
    dry_run: bool,
    /// The runs to repeat.
    #[arg(long, value_enum, value_name = "WHAT")]
    again: Option<Again>,
    #[command(flatten)]
    build: BuildArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Again {
    /// Runs that failed.
    Failed,
}

impl Run {
    pub(crate) fn run(&self, catalogue: &Catalogue, output: Output) -> Result<ExitCode, Failure> {
        let plan = Plan::read(&self.plan).map_err(Failure::input)?;
        let failed_again = self.again == Some(Again::Failed);
        let build_time = self.build.time();
        let request =
            Request { repository: &self.repository, plan: &plan, catalogue, failed_again, build_time };
        if self.dry_run {
            return self.answer(&look(&request)?, output).map(|()| ExitCode::SUCCESS);
        }
        let cancelled = cancel::on_signal()?;
        let mut progress = OfPlan(Line::new(output));
        let done = carry_out(&request, &mut progress, &cancelled);
        progress.0.done();
        let done = done?;
        self.answer(&done, output)?;
        if cancelled.load(Ordering::Relaxed) {
            return Err(Failure::Cancelled);
        }
        let has_failed = done.count(RunState::Failed) + done.count(RunState::Damaged) > 0;
        Ok(ExitCode::from(u8::from(has_failed)))
    }

    fn answer(&self, document: &PlannedRuns, output: Output) -> Result<(), Failure> {
        document.warnings.iter().for_each(|warning| remark(&format!("warning: {warning}")));
        output.document(document, || text::planned_runs(document, width()))
    }
}
