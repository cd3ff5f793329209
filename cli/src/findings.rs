//! Findings as a table.

use ats_documents::finding::LocationShare;
use ats_documents::{Basis, Finding};
use ats_model::CallSite;
use ats_model::locations::{Location, in_words};
use ats_presentation::text::printable;
use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, ContentArrangement, Table};

use crate::output::width;

/// A row for each finding.
pub(crate) fn table(findings: &[&Finding]) -> String {
    let mut table =
        plain(&["severity", "seconds", "waits", "wait state", "call path", "locations"], &[0, 1, 2]);
    for finding in findings {
        let location = |share: &LocationShare| Location { rank: share.rank, thread: share.thread };
        let locations: Vec<_> = finding.locations.iter().map(location).collect();
        let is_time = finding.unit().is_time();
        let of_time = |text: String| if is_time { text } else { String::new() };
        let place = CallSite::label(&finding.call_path.join("/"), finding.call_site.as_ref());
        let waits = if is_time { finding.instances as f64 } else { finding.quantity().value };
        table.add_row([
            of_time(severity(finding)),
            of_time(format!("{:.6}", finding.waiting_time)),
            waits.to_string(),
            finding.name().to_owned(),
            printable(&place).into_owned(),
            in_words(&locations),
        ]);
    }
    lines(&table)
}

/// The share of the basis; what lies outside of it has none.
fn severity(finding: &Finding) -> String {
    if finding.in_basis { format!("{:.2} %", finding.severity * 100.0) } else { "–".to_owned() }
}

/// The basis of severities, in words.
pub(crate) fn basis(basis: &Basis) -> String {
    let title = printable(basis.title());
    format!("{title}: {:.6} s of wall time, {:.6} location-seconds", basis.wall_time, basis.location_seconds)
}

/// A table without lines, as wide as the terminal, with some columns to the right.
pub(crate) fn plain(header: &[&str], right: &[usize]) -> Table {
    let mut table = Table::new();
    table.load_style(NOTHING).set_header(header);
    if let Some(width) = width() {
        table.set_content_arrangement(ContentArrangement::Dynamic).set_width(width);
    }
    if let Some(first) = table.column_mut(0) {
        first.set_padding((0, 1));
    }
    for &column in right {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}

/// A table's text.
pub(crate) fn lines(table: &Table) -> String {
    table.lines().map(|line| line.trim_end().to_owned() + "\n").collect()
}
