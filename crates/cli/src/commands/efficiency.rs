//! `ats efficiency`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use ats_diagnosis::{Comparison, Run, Talp, TalpError};
use ats_documents::classes::Classes;
use ats_documents::efficiencies::Scaling;
use ats_presentation::{efficiencies_svg, text};
use clap::Args;

use crate::failure::Failure;
use crate::options::compared::Kept;
use crate::options::drawn::svg;
use crate::output::{Output, width, write_file};

/// Show the efficiencies of runs, and the factors that limit them
///
/// These are the metrics of POP: parallel efficiency is load balance times communication efficiency, and global
/// efficiency is parallel efficiency times the scalability of the computation.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  ats efficiency REPO/heat.Ranks4.threads2.size100.r1
  ats efficiency REPO
  ats efficiency REPO version=1.1 'ranks>=4'
  ats efficiency REPO -o factors.svg
  ats efficiency REPO/heat.Ranks4.threads2.size100.r1 talp.json
  ats efficiency REPO --weak --basis solve --reference REPO/heat.Ranks8.threads2.size100.r1")]
pub(crate) struct EfficiencyOf {
    /// The folders of the experiments, REPO/EXPERIMENT, where the last part of the experiment's name is enough; a
    /// repository, for all its parallel runs, and conditions on them, as for `ats experiment list`; or a report of TALP, the
    /// `.json` file of `--talp-output-file`.
    ///
    /// Runs of one application, version and set of parameters are compared with each other.
    #[arg(value_name = "EXPERIMENT", required = true)]
    experiments: Vec<PathBuf>,
    /// The experiment or report that the others are compared with [default: of each group the sequential run in its repository,
    /// or else the smallest].
    #[arg(long, value_name = "EXPERIMENT")]
    reference: Option<PathBuf>,
    /// Draw the factors over the sizes of runs into this file, NAME.svg; each group of comparable runs is a picture.
    #[arg(short, long, value_name = "FILE", value_parser = svg)]
    output: Option<PathBuf>,
    /// Each unit does the same work in all runs, instead of all units together.
    #[arg(long)]
    weak: bool,
    /// The region that stands for the program [default: all].
    #[arg(long, alias = "region", value_name = "REGION")]
    basis: Option<String>,
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
        let shown: Vec<String> = kept.iter().map(|one| one.id.clone()).collect();
        if reference.is_none() {
            Kept::add_references(&mut kept)?;
        }
        let runs: Vec<Run> = kept.iter().map(Kept::run).collect();
        let scaling = if self.weak { Scaling::Weak } else { Scaling::Strong };
        let comparison = Comparison { reference, scaling, classes: &classes, region: self.basis.as_deref() };
        let mut document = comparison.efficiencies(&runs, &reports)?;
        document.experiments.retain(|run| run.tool.is_some() || shown.contains(&run.id));
        if let Some(file) = &self.output {
            let none = "there is nothing to draw: a drawing needs experiments, and not only reports of tools";
            let svg = efficiencies_svg(&document).ok_or_else(|| Failure::Input(none.to_owned()))?;
            write_file(file, &svg)?;
            output.written(vec![file.clone()])?;
            return Ok(ExitCode::SUCCESS);
        }
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
