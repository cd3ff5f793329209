//! Experiments for other programs.

mod csv;
mod extra_p;
mod jsonl;
mod sql;

use std::io::{self, Write};

use ats_documents::Experiment;
use ats_documents::experiment::Listed;
use thiserror::Error;

use crate::{Repository, RepositoryError};

/// The output formats of experiments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A line for each figure, as a table that can be added again.
    Csv,
    /// A JSON object in each line: the summary of a region and location.
    Jsonl,
    /// CREATE and INSERT statements in the common part of SQLite, DuckDB and PostgreSQL.
    Sql,
    /// Extra-P's JSON Lines: a measurement in each.
    ExtraP,
}

/// The reason why experiments cannot be written.
#[derive(Debug, Error)]
pub enum ExportError {
    /// One of them cannot be read.
    #[error(transparent)]
    Repository(#[from] RepositoryError),
    /// They have different parameters.
    #[error("{what}; {fix}")]
    Unlike {
        /// The error, in words.
        what: String,
        /// The remedy.
        fix: &'static str,
    },
    /// The output cannot be written.
    #[error("cannot write the experiments: {0}")]
    Io(#[from] io::Error),
}

/// Writes these experiments of a repository.
///
/// # Errors
/// One of them cannot be read or written, or they do not belong together.
pub fn export(
    repository: &Repository,
    listed: &[Listed],
    form: Form,
    out: &mut dyn Write,
) -> Result<(), ExportError> {
    let parameters = if form == Form::ExtraP { extra_p::parameters(listed)? } else { Vec::new() };
    match form {
        Form::Csv => csv::head(out)?,
        Form::Sql => sql::head(out)?,
        Form::Jsonl | Form::ExtraP => {}
    }
    for Listed { id, .. } in listed {
        let experiment: Experiment = repository.read(id)?;
        match form {
            Form::Csv => csv::rows(id, &experiment, out)?,
            Form::Jsonl => jsonl::lines(id, &experiment, out)?,
            Form::Sql => sql::rows(id, &experiment, out)?,
            Form::ExtraP => extra_p::lines(&parameters, &experiment, out)?,
        }
    }
    if form == Form::Sql {
        sql::end(out)?;
    }
    Ok(())
}

/// The unit of an amount of an experiment's summaries.
fn unit<'a>(experiment: &'a Experiment, name: &str) -> &'a str {
    let metric = experiment.metrics.iter().find(|metric| metric.name == name);
    match metric {
        Some(metric) => &metric.unit,
        // Parts of classes are times.
        None if name.contains('/') => "s",
        None => "occ",
    }
}
