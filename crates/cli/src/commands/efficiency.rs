//! `ats efficiency`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use ats_diagnosis::{Comparison, Run, Talp, TalpError};
use ats_documents::classes::Classes;
use ats_documents::efficiencies::Scaling;
use ats_presentation::text;
use clap::Args;

use crate::failure::Failure;
use crate::options::compared::Kept;
use crate::output::{Output, width};

/// Show the efficiencies of runs, and the factors that limit them
///
/// These are the metrics of POP: parallel efficiency is load balance times communication efficiency, and global
/// efficiency is parallel efficiency times the scalability of the computation.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  ats efficiency REPO/heat.Ranks4.threads2.size100.r1
  ats efficiency REPO
  ats efficiency REPO/heat.Ranks4.threads2.size100.r1 talp.json
  ats efficiency REPO --weak --region solve --reference REPO/heat.Ranks8.threads2.size100.r1")]
pub(crate) struct EfficiencyOf {
    /// The folders of the experiments, REPO/EXPERIMENT, where the last part of the experiment's name is enough; a
    /// repository, for all its parallel runs; or a report of TALP, the `.json` file of `--talp-output-file`.
    #[arg(value_name = "EXPERIMENT", required = true)]
    experiments: Vec<PathBuf>,
    /// The experiment or report that the others are compared with [default: that with the fewest units].
    #[arg(long, value_name = "EXPERIMENT")]
    reference: Option<PathBuf>,
    /// Each unit does the same work in all runs, instead of all units together.
    #[arg(long)]
    weak: bool,
    /// The region that stands for the program [default: all].
    #[arg(long, value_name = "NAME")]
    region: Option<String>,
    /// Rules in TOML that say what the time in regions is spent on, as for `ats profile --summaries`.
    #[arg(long, value_name = "FILE")]
    classes: Option<PathBuf>,
}

impl EfficiencyOf {
    pub(crate) fn run(&self, output: Output) -> Result<ExitCode, Failure> {
        let classes = self.classes.as_deref().map(Classes::read).transpose().map_err(Failure::input)?;
        let classes = classes.unwrap_or_default();
        let (reports, experiments): (Vec<_>, Vec<_>) =
            self.experiments.iter().cloned().partition(|path| is_report(path));
        let mut kept = Kept::read_all(&experiments, |one| !one.experiment.experiment.sequential)?;
        let mut reports = reports.iter().map(|path| Talp::read(path)).collect::<Result<Vec<_>, _>>()?;
        let mut reference = None;
        match self.reference.as_deref() {
            Some(path) if is_report(path) => {
                let base = Talp::read(path)?;
                let at = reports.iter().position(|one| one.id == base.id).unwrap_or_else(|| {
                    reports.push(base);
                    reports.len() - 1
                });
                reference = Some(kept.len() + at);
            }
            Some(path) => {
                let base = Kept::read(path)?;
                reference = kept.iter().position(|one| one.id == base.id).or(Some(kept.len()));
                if reference == Some(kept.len()) {
                    kept.push(base);
                }
            }
            None => {}
        }
        let runs: Vec<Run> = kept.iter().map(Kept::run).collect();
        let scaling = if self.weak { Scaling::Weak } else { Scaling::Strong };
        let comparison = Comparison { reference, scaling, classes: &classes, region: self.region.as_deref() };
        let document = comparison.efficiencies(&runs, &reports)?;
        output.document(&document, || text::efficiencies(&document, width()))?;
        Ok(ExitCode::SUCCESS)
    }
}

/// Whether a path means a report, and not an experiment.
fn is_report(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "json")
}

impl From<TalpError> for Failure {
    fn from(error: TalpError) -> Self {
        Failure::input(error)
    }
}
