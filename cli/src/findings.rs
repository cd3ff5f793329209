//! Findings as a table.

use ats_documents::finding::LocationShare;
use ats_documents::{Basis, Finding};
use ats_model::CallSite;
use ats_model::locations::{Location, in_words};
use ats_presentation::text::printable;

use crate::output::grid;

/// A row for each finding.
pub(crate) fn table(findings: &[&Finding]) -> String {
    let mut table =
        grid(&["severity", "seconds", "waits", "wait state", "call path", "locations"], &[0, 1, 2]);
    for finding in findings {
        let location = |share: &LocationShare| Location { rank: share.rank, thread: share.thread };
        let locations: Vec<_> = finding.locations.iter().map(location).collect();
        let is_time = finding.unit().is_time();
        let of_time = |text: String| if is_time { text } else { String::new() };
        let place = CallSite::label(&finding.call_path.join("/"), finding.call_site.as_ref());
        let waits = if is_time { finding.instances as f64 } else { finding.quantity().value };
        table.row([
            of_time(severity(finding)),
            of_time(format!("{:.6}", finding.waiting_time)),
            waits.to_string(),
            finding.name().to_owned(),
            place,
            in_words(&locations),
        ]);
    }
    table.text()
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
