//! Findings as a table.

use ats_documents::finding::Unit;
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
        let unit = finding.unit();
        let place = CallSite::label(&finding.call_path.join("/"), finding.call_site.as_ref());
        let seconds = match unit {
            Unit::Seconds | Unit::Inclusive(_) => format!("{:.6}", finding.waiting_time),
            _ => String::new(),
        };
        let number = match unit {
            Unit::Ratio(_) => format!("{:.3}", finding.quantity().value),
            _ => finding.instances.to_string(),
        };
        grid.row([
            if unit.is_time() { severity(finding) } else { String::new() },
            seconds,
            number,
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

#[cfg(test)]
mod tests {
    use ats_documents::Basis;
    use ats_documents::finding::{Finding, LocationShare};

    use super::table;

    #[test]
    fn every_unit_has_its_columns() {
        let basis = Basis::new(None, 1.0, 2);
        let path = |region: &str| vec!["hot".to_owned(), region.to_owned()];
        let shares = vec![LocationShare { rank: 0, thread: 0, waiting_time: 0.5 }];
        let findings = [
            Finding::time(path("solve"), shares, 3, &basis),
            Finding::time_ratio(path("solve"), "assemble", 2.999_999_999_999_999_6),
            Finding::count(path("solve"), "iterations", 40),
        ];
        let text = table(&findings.each_ref(), None);
        let rows: Vec<Vec<&str>> = text.lines().skip(1).map(|row| row.split_whitespace().collect()).collect();
        assert_eq!(
            rows,
            [
                &["0.500000", "3", "time", "hot/solve", "0"][..],
                &["3.000", "time_ratio", "hot/solve"],
                &["40", "iterations", "hot/solve"],
            ]
        );
    }
}
