//! `ats experiment remove`.

use std::path::PathBuf;

use ats_documents::Experiments;
use ats_experiment::Repository;
use clap::Args;

use crate::failure::Failure;
use crate::output::Output;

/// Remove experiments from a repository
///
/// The answer is what was removed. Of a run that failed, it is forgotten that it did.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  ats experiment remove REPO heat/1.0/heat.Ranks4.threads2.size100.r1
  ats experiment remove REPO heat.Ranks4.threads2.size100.r1 heat.Ranks8.threads2.size100.r1")]
pub(crate) struct Remove {
    /// The folder of the repository.
    #[arg(value_name = "REPO")]
    repository: PathBuf,
    /// The experiments, as `ats experiment list` shows them; the last part is enough where no other has it.
    #[arg(value_name = "EXPERIMENT", required = true)]
    experiments: Vec<String>,
}

impl Remove {
    pub(crate) fn run(&self, output: Output) -> Result<(), Failure> {
        let repository = Repository::open(&self.repository)?;
        let ids =
            self.experiments.iter().map(|given| repository.find_run(given)).collect::<Result<Vec<_>, _>>()?;
        let mut listing = repository.list()?;
        listing.experiments.retain(|one| ids.contains(&one.id));
        listing.failed.retain(|one| ids.contains(&one.listed.id));
        ids.iter().try_for_each(|id| repository.remove(id))?;
        let removed = Experiments::new(listing.experiments, Vec::new());
        output.document(&Experiments { failed: listing.failed, ..removed }, || {
            ids.iter().map(|id| format!("{id}\n")).collect()
        })
    }
}
