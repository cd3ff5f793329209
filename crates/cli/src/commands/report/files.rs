//! Files that are written besides the answer.

use std::path::{Path, PathBuf};

use ats_documents::Score;
use clap::Args;

use crate::commands::report::Form;
use crate::failure::Failure;
use crate::options::reference::ReferenceArgs;
use crate::output::check_file;

/// The same result in other forms, as `ats report` writes them.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Files besides the answer")]
pub(crate) struct FileArgs {
    /// One HTML page of it, with findings and timelines of the runs.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    #[command(flatten)]
    reference: ReferenceArgs,
    /// JUnit's XML, for CI systems.
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// SARIF, for code scanners and editors.
    #[arg(long, value_name = "FILE")]
    sarif: Option<PathBuf>,
    /// A table for spreadsheets and data frames.
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Markdown, for a comment or a wiki.
    #[arg(long, value_name = "FILE")]
    markdown: Option<PathBuf>,
}

impl FileArgs {
    fn asked_for(&self) -> impl Iterator<Item = (Form, &Path)> {
        let FileArgs { html, junit, sarif, csv, markdown, reference: _ } = self;
        let forms = [
            (Form::Html, html),
            (Form::Junit, junit),
            (Form::Sarif, sarif),
            (Form::Csv, csv),
            (Form::Markdown, markdown),
        ];
        forms.into_iter().filter_map(|(form, file)| Some((form, file.as_deref()?)))
    }

    /// Whether they can be written and none of them is an input, asked before anything takes its time.
    pub(crate) fn check(&self, inputs: &[&Path]) -> Result<(), Failure> {
        self.asked_for().try_for_each(|(_, file)| check_file(file, inputs))
    }

    /// Writes them; into the page goes what the runs in `runs` have left that the result is of.
    pub(crate) fn write(&self, score: &Score, runs: Option<&Path>) -> Result<(), Failure> {
        let reference = self.reference.address();
        self.asked_for().try_for_each(|(form, file)| form.write(file, score, runs, reference))
    }
}
