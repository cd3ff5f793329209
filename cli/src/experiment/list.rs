//! `ats experiment list`.

use clap::Args;

use super::{Selected, table, table_of_failed};
use crate::failure::Failure;
use crate::output::Output;

/// Show which experiments a repository has
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  ats experiment list REPO
  ats experiment list REPO 'ranks>=8' application=heat
  ats experiment list REPO metric=PAPI_TOT_INS --format json")]
pub(crate) struct List {
    #[command(flatten)]
    selected: Selected,
}

impl List {
    pub(crate) fn run(&self, output: Output) -> Result<(), Failure> {
        let (_, document) = self.selected.find()?;
        output.document(&document, || match (&document.experiments[..], &document.failed[..]) {
            ([], []) => "There is no such experiment.\n".to_owned(),
            (experiments, []) => table(experiments),
            ([], failed) => table_of_failed(failed),
            (experiments, failed) => format!("{}\n{}", table(experiments), table_of_failed(failed)),
        })
    }
}
