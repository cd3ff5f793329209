//! `ats model`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use ats_documents::classes::Classes;
use ats_model::files::read_text;
use ats_prediction::costs::Costs;
use ats_prediction::{ModelError, Observed, calibrated, models};
use ats_presentation::text;
use clap::Args;

use crate::failure::Failure;
use crate::options::compared::Kept;
use crate::output::{Output, check_file, json, width, write_file};

/// Model the costs of regions, from runs of several sizes
///
/// Each region's seconds of computation, input and output, communication, synchronisation, control and waiting become
/// functions of the parameters that differ between the runs, such as the number of ranks. `ats predict` asks them for
/// other sizes.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  ats model REPO -o models.json
  ats model REPO version=1.1 'ranks>=4' -o models.json
  ats model REPO --costs costs.toml -o models.json")]
pub(crate) struct Model {
    /// The repository of the experiments, and conditions on them, as for `ats experiment list`; or the folders of some.
    #[arg(value_name = "EXPERIMENT", required = true)]
    experiments: Vec<PathBuf>,
    /// Write the models into this file.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Given expressions, whose coefficients the runs calibrate: a file of costs, in TOML.
    #[arg(long, value_name = "FILE")]
    costs: Option<PathBuf>,
    /// Allow runs of several applications, versions or machines.
    #[arg(long)]
    mixed: bool,
    /// Rules in TOML that say what the time in regions is spent on, as for `ats profile --summaries`.
    #[arg(long, value_name = "FILE")]
    classes: Option<PathBuf>,
}

impl Model {
    pub(crate) fn run(&self, output: Output) -> Result<ExitCode, Failure> {
        if let Some(file) = &self.output {
            let inputs = self.experiments.iter().chain(&self.costs);
            check_file(file, &inputs.map(PathBuf::as_path).collect::<Vec<_>>())?;
        }
        let classes = self.classes.as_deref().map(Classes::read).transpose().map_err(Failure::input)?;
        let classes = classes.unwrap_or_default();
        // A run of the sequential program is one of another program, and a kept prediction is none.
        let is_meant = |one: &Kept| !one.experiment.experiment.sequential && !one.experiment.is_predicted();
        let kept = Kept::read_all(&self.experiments, is_meant)?;
        let runs: Vec<Observed> = kept.iter().map(|one| Observed::new(&one.run(), &classes)).collect();
        let document = match &self.costs {
            None => models(&runs, self.mixed)?,
            Some(file) => {
                let (costs, text) = read_costs(file)?;
                calibrated(&costs, (&file.display().to_string(), &text), &runs, self.mixed)?
            }
        };
        match &self.output {
            Some(file) => {
                write_file(file, &json(&document))?;
                output.written(vec![file.clone()])?;
            }
            None => output.document(&document, || text::models(&document, width()))?,
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// The costs of a file, and its text.
pub(crate) fn read_costs(file: &Path) -> Result<(Costs, String), Failure> {
    let name = file.display().to_string();
    let text = read_text(file)
        .map_err(|error| Failure::Input(format!("cannot read {name}: {error}; check the path")))?;
    let costs = Costs::parse(&text, &name).map_err(Failure::input)?;
    Ok((costs, text))
}

impl From<ModelError> for Failure {
    fn from(error: ModelError) -> Self {
        Failure::input(error)
    }
}
