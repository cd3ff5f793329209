//! `ats list --rows` and `--excluded`.

use std::process::ExitCode;

use ats_compose::Row;
use ats_presentation::text;

use crate::commands::catalogue::Entries;
use crate::failure::Failure;
use crate::output::{Output, width};

/// Prints the rows that are wanted.
pub(crate) fn list(is_wanted: impl Fn(&Row) -> bool, output: Output) -> Result<ExitCode, Failure> {
    let rows: Vec<Row> = Row::list().into_iter().filter(is_wanted).collect();
    let document = Entries { schema: Entries::SCHEMA, rows: Some(&rows), ..Entries::default() };
    output.document(&document, || {
        let rows = rows.iter().map(|row| (row.row.as_str(), row.table, row.status()));
        text::rows(rows, width())
    })?;
    Ok(ExitCode::SUCCESS)
}
