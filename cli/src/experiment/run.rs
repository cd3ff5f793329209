//! `ats experiment run`.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::Ordering;

use ats_documents::PlannedRuns;
use ats_documents::experiment::{PlannedRun, RunState};
use ats_experiment::Plan;
use ats_experiment::running::{Request, carry_out, look};
use ats_props::Catalogue;
use clap::{Args, ValueEnum};

use crate::cancel;
use crate::failure::Failure;
use crate::output::{Output, grid, remark};
use crate::progress::{Line, OfPlan};

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
        let request = Request { repository: &self.repository, plan: &plan, catalogue, failed_again };
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
        output.document(document, || text(document))
    }
}

/// A row for each run, why some failed, and how many are left.
fn text(document: &PlannedRuns) -> String {
    let mut table = grid(&["ranks", "threads", "repeat", "state", "experiment"], &[0, 1, 2]);
    for PlannedRun { listed, state, .. } in &document.runs {
        let run = &listed.run;
        let numbers = [run.ranks, run.threads, run.repeat].map(|number| number.to_string());
        let cells = [state.name().to_owned(), listed.id.clone()];
        table.row(numbers.into_iter().chain(cells));
    }
    let said = document.runs.iter().filter_map(|run| Some((run, run.message.as_ref()?)));
    let said: String = said
        .map(|(run, message)| match run.run_status {
            Some(status) => format!("\n{}: {}: {message}\n", run.listed.id, status.label()),
            None => format!("\n{}: {message}\n", run.listed.id),
        })
        .collect();
    let states = RunState::ALL.into_iter().map(|state| (document.count(state), state));
    let counts: Vec<String> = states
        .filter(|(count, state)| *count > 0 || *state == RunState::Left)
        .map(|(count, state)| format!("{count} {}", state.name()))
        .collect();
    let all = document.runs.len();
    let runs = if all == 1 { "run" } else { "runs" };
    format!("{}{said}\n{all} {runs}: {}\n", table.text(), counts.join(", "))
}
