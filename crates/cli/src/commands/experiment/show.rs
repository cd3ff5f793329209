//! `ats experiment show`.

use std::path::PathBuf;

use ats_experiment::Repository;
use ats_presentation::text;
use clap::Args;

use crate::failure::Failure;
use crate::output::{Output, remark, width};

/// Show an experiment: how it was run, on what, and what was spent in its regions
///
/// Its call paths are shown by `ats profile REPO/EXPERIMENT`.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  ats experiment show REPO heat/1.0/heat.Ranks4.threads2.size100.r1
  ats experiment show REPO heat.Ranks4.threads2.size100.r1 --format json")]
pub(crate) struct Show {
    /// The folder of the repository.
    #[arg(value_name = "REPO")]
    repository: PathBuf,
    /// The experiment, as `ats experiment list` shows it; the last part is enough where no other has it.
    #[arg(value_name = "EXPERIMENT")]
    experiment: String,
}

impl Show {
    pub(crate) fn run(&self, output: Output) -> Result<(), Failure> {
        let repository = Repository::open(&self.repository)?;
        let id = repository.find(&self.experiment)?;
        let experiment = repository.read(&id)?;
        for warning in &experiment.warnings {
            remark(&format!("warning: {id}: {warning}"));
        }
        let trace = repository.trace(&id);
        output.document(&experiment, || text::experiment(&id, trace.as_deref(), &experiment, width()))
    }
}
