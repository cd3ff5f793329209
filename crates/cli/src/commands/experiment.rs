//! `ats experiment`.

mod add;
mod export;
mod list;
mod remove;
mod run;
mod show;

use std::path::PathBuf;
use std::process::ExitCode;

use ats_documents::Experiments;
use ats_experiment::{Filter, FilterError, Listing, Repository, RepositoryError};
use ats_props::Catalogue;
use clap::{Args, Subcommand};

use crate::failure::Failure;
use crate::output::{Output, remark};

/// Keep the profiles of runs in a repository and compare them.
///
/// A repository is a folder with a folder for each run, which contains `experiment.json` and `profile.cubex`. Cube and
/// hatchet open these files, and Extra-P reads the parameters from the folders' names.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  ats experiment add REPO trace/traces.otf2 --application heat size=100
  ats experiment list REPO 'ranks>=8'")]
pub(crate) struct Experiment {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, Subcommand)]
enum Verb {
    Add(Box<add::Add>),
    Run(run::Run),
    List(list::List),
    Show(show::Show),
    Remove(remove::Remove),
    Export(export::Export),
}

impl Experiment {
    pub(crate) fn run(&self, catalogue: &Catalogue, output: Output) -> Result<ExitCode, Failure> {
        match &self.verb {
            Verb::Add(verb) => verb.run(catalogue, output),
            Verb::Run(verb) => return verb.run(catalogue, output),
            Verb::List(verb) => verb.run(output),
            Verb::Show(verb) => verb.run(output),
            Verb::Remove(verb) => verb.run(output),
            Verb::Export(verb) => verb.run(output),
        }?;
        Ok(ExitCode::SUCCESS)
    }
}

/// The experiments that are selected from a repository.
#[derive(Args, Debug)]
struct Selected {
    /// The folder.
    #[arg(value_name = "REPO")]
    repository: PathBuf,
    /// Conditions that all hold: a field or parameter, `=`, `!=`, `<`, `<=`, `>` or `>=`, and a value.
    #[arg(value_name = "FIELD=VALUE")]
    filters: Vec<Filter>,
}

impl Selected {
    /// The repository and those that are meant; the damaged ones are named.
    fn find(&self) -> Result<(Repository, Experiments), Failure> {
        let repository = Repository::open(&self.repository)?;
        let listing = repository.list()?;
        let Listing { experiments, failed, damaged } = Filter::select_runs(&self.filters, listing)?;
        let damaged: Vec<String> = damaged.iter().map(ToString::to_string).collect();
        damaged.iter().for_each(|damaged| remark(&format!("warning: {damaged}; it is skipped")));
        Ok((repository, Experiments { failed, ..Experiments::new(experiments, damaged) }))
    }
}

impl From<RepositoryError> for Failure {
    fn from(error: RepositoryError) -> Self {
        let message = error.to_string();
        if error.is_of_input() { Failure::Input(message) } else { Failure::Folder(message) }
    }
}

impl From<FilterError> for Failure {
    fn from(error: FilterError) -> Self {
        Failure::input(error)
    }
}
