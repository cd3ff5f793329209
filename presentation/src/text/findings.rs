//! Findings as a table.

use ats_documents::{Basis, Finding};
use ats_model::CallSite;
use ats_model::locations::in_words;

use super::grid::Grid;
use super::printable::printable;
use crate::words::percent;

/// A row for each finding.
pub(super) fn table(findings: &[&Finding], width: Option<u16>) -> String {
    let header = ["severity", "seconds", "waits", "wait state", "call path", "locations"];
    let mut grid = Grid::new(&header, &[0, 1, 2], width);
    for finding in findings {
        let is_time = finding.unit().is_time();
        let of_time = |text: String| if is_time { text } else { String::new() };
        let place = CallSite::label(&finding.call_path.join("/"), finding.call_site.as_ref());
        let waits = if is_time { finding.instances as f64 } else { finding.quantity().value };
        grid.row([
            of_time(severity(finding)),
            of_time(format!("{:.6}", finding.waiting_time)),
            waits.to_string(),
            finding.name().to_owned(),
            place,
            in_words(&finding.places()),
        ]);
    }
    grid.text()
}

/// The share of the basis; what lies outside of it has none.
fn severity(finding: &Finding) -> String {
    if finding.in_basis { percent(finding.severity) } else { "–".to_owned() }
}

/// The basis of severities, in words.
pub(super) fn basis(basis: &Basis) -> String {
    let title = printable(basis.title());
    format!("{title}: {:.6} s of wall time, {:.6} location-seconds", basis.wall_time, basis.location_seconds)
}
