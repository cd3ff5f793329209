//! `ats list --rows` and `--excluded`.

use std::process::ExitCode;

use ats_compose::Row;
use ats_presentation::text;
use serde::Serialize;

use crate::failure::Failure;
use crate::output::{Output, width};

/// The document `ats-rows/1`: the rows of the catalogue.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Rows {
    /// The schema: `ats-rows/1`.
    schema: &'static str,
    /// Table by table.
    rows: Vec<Row>,
}

impl Rows {
    pub(crate) const SCHEMA: &str = "ats-rows/1";
}

/// Prints the rows that are wanted.
pub(crate) fn list(is_wanted: impl Fn(&Row) -> bool, output: Output) -> Result<ExitCode, Failure> {
    let rows = Row::all().into_iter().filter(is_wanted).collect();
    let document = Rows { schema: Rows::SCHEMA, rows };
    output.document(&document, || {
        let rows = document.rows.iter().map(|row| (row.row.as_str(), row.table, row.status()));
        text::rows(rows, width())
    })?;
    Ok(ExitCode::SUCCESS)
}
