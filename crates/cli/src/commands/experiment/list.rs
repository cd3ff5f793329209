//! `ats experiment list`.

use ats_presentation::text;
use clap::Args;

use super::Selected;
use crate::failure::Failure;
use crate::output::{Output, width};

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
        output.document(&document, || text::experiments(&document, width()))
    }
}
