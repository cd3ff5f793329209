//! `ats experiment export`.

use std::fs;
use std::path::{Path, PathBuf};

use ats_diagnosis::properties::{Properties, Selection, diagnose};
use ats_documents::Experiments;
use ats_documents::experiment::Listed;
use ats_experiment::{ExportError, Form, Repository, export};
use ats_presentation::{Compared, Page, page};
use clap::{Args, ValueEnum};

use super::Selected;
use crate::failure::Failure;
use crate::output::{Output, check_file, remark};

/// Write experiments for other programs
///
/// A table has a line for each figure, and can be added again; SQL makes tables of its own; what Extra-P reads is one
/// measurement in each line, the mean over the locations that were in a region. A page has time and speed-up of each
/// region, against the sequential run of the same, or else the smallest, and the severities of performance properties.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  ats experiment export REPO --as csv -o all.csv
  ats experiment export REPO application=heat sequential=false --as extra-p -o heat.jsonl
  ats experiment export REPO --as sql | sqlite3 experiments.db
  ats experiment export REPO application=heat --as html -o heat.html
  ats experiment export REPO id=heat/1.0/heat.Ranks4.threads2.size100.r1 --as cube -o heat.cubex")]
pub(crate) struct Export {
    #[command(flatten)]
    selected: Selected,
    /// The form of the export.
    #[arg(long = "as", value_enum)]
    form: FormName,
    /// Write to this file instead of standard output; a report of Cube always is one.
    #[arg(short, long, value_name = "FILE", required_if_eq("form", "cube"))]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum FormName {
    /// A table, with a line for each figure.
    Csv,
    /// A JSON object in each line, for each region and location.
    Jsonl,
    /// CREATE and INSERT, for sqlite3, DuckDB and PostgreSQL.
    Sql,
    /// JSON Lines for Extra-P (`extrap --json`).
    #[value(name = "extra-p")]
    ExtraP,
    /// The report of Cube of a single experiment.
    Cube,
    /// A page of time, speed-up and properties.
    Html,
}

impl Export {
    pub(crate) fn run(&self, output: Output) -> Result<(), Failure> {
        self.output.iter().try_for_each(|file| check_file(file, &[]))?;
        let (repository, meant) = self.selected.find()?;
        let form = match self.form {
            FormName::Csv => Form::Csv,
            FormName::Jsonl => Form::Jsonl,
            FormName::Sql => Form::Sql,
            FormName::ExtraP => Form::ExtraP,
            FormName::Cube => return self.copy(&repository, &meant, output),
            FormName::Html => return self.write(compared(&repository, meant)?.into_bytes(), output),
        };
        let mut text = Vec::new();
        export(&repository, &meant.experiments, form, &mut text).map_err(|error| match error {
            ExportError::Repository(error) => error.into(),
            ExportError::Unlike { .. } => Failure::input(error),
            _ => Failure::Failed(error.to_string()),
        })?;
        self.write(text, output)?;
        if let (Form::ExtraP, Some(file), false) = (form, &self.output, output.is_quiet) {
            remark(&format!("Extra-P reads it with: extrap --json {}", file.display()));
        }
        Ok(())
    }

    fn write(&self, text: Vec<u8>, output: Output) -> Result<(), Failure> {
        let Some(file) = &self.output else {
            return output.as_it_is("an export", &String::from_utf8_lossy(&text));
        };
        written(file, fs::write(file, text))?;
        output.written(vec![file.clone()])
    }

    fn copy(&self, repository: &Repository, meant: &Experiments, output: Output) -> Result<(), Failure> {
        let [one] = &meant.experiments[..] else {
            return Err(Failure::Input(format!(
                "a Cube report holds one experiment, and {} match; choose one with id=EXPERIMENT",
                meant.experiments.len()
            )));
        };
        let Some(profile) = repository.profile(&one.id) else {
            return Err(Failure::Input(format!(
                "{} was added from a table, which has no call paths; export it as csv",
                one.id
            )));
        };
        // Whoever gets the copy is not to find damage in it.
        ats_reports::source::profile(&profile).map_err(Failure::input)?;
        let file = self.output.as_deref().expect("a Cube report needs it");
        written(file, fs::copy(profile, file).map(drop))?;
        output.written(vec![file.to_owned()])
    }
}

/// The page of time and speed-up, and of properties.
fn compared(repository: &Repository, meant: Experiments) -> Result<String, Failure> {
    if meant.experiments.is_empty() {
        return Err(Failure::Input(
            "there is no such experiment; `ats experiment list` shows all".to_owned(),
        ));
    }
    let no_files: [&Path; 0] = [];
    let properties = Properties::read(&no_files).map_err(Failure::input)?;
    let mut compared = Compared::default();
    for listed in &meant.experiments {
        compared.add(listed.clone(), &repository.read(&listed.id)?);
    }
    let read = |listed: &Listed| repository.read(&listed.id);
    let diagnosis = diagnose(&properties, meant.experiments, read, Selection::default())?;
    let (experiments, diagnosis) = (Some(&compared), Some(&diagnosis));
    Ok(page(&Page { title: "Experiments", experiments, diagnosis, ..Page::default() }))
}

fn written(file: &Path, done: std::io::Result<()>) -> Result<(), Failure> {
    done.map_err(|error| Failure::Failed(format!("cannot write {}: {error}", file.display())))
}
