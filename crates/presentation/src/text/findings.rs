//! Findings as a table.

use ats_documents::finding::Unit;
use ats_documents::{Basis, Finding};
use ats_model::locations::in_words;

use super::grid::Grid;
use crate::place;
use crate::printable::printable;
use crate::words::{self, percent};

/// The width of a table for a file: that of a wide terminal, in which two tables stand beside each other on no screen.
const WIDE: u16 = 120;

/// The least width of a call path, which a name of a call and its line fit into.
const LEAST: usize = 48;

/// A row for each finding.
pub(super) fn table(findings: &[&Finding], width: Option<u16>) -> String {
    let header = ["severity", "seconds", "waits", "wait state", "call path", "locations"];
    let mut rows: Vec<[String; 6]> = Vec::new();
    for finding in findings {
        let unit = finding.unit();
        let seconds = match unit {
            Unit::Seconds | Unit::Inclusive(_) => format!("{:.6}", finding.waiting_time),
            _ => String::new(),
        };
        let number = match unit {
            Unit::Ratio(_) => format!("{:.3}", finding.quantity().value),
            _ => finding.instances.to_string(),
        };
        rows.push([
            if unit.is_time() { severity(finding) } else { String::new() },
            seconds,
            number,
            finding.name().to_owned(),
            String::new(),
            in_words(&finding.places()),
        ]);
    }
    let widest = |column: usize| {
        let cells = rows.iter().map(|row| row[column].as_str()).chain([header[column]]);
        cells.map(|cell| cell.chars().count() + 2).max().unwrap_or(0)
    };
    let others: usize = [0, 1, 2, 3, 5].map(widest).iter().sum();
    let room = usize::from(width.unwrap_or(WIDE)).saturating_sub(others).max(LEAST);
    let mut grid = Grid::new(&header, &[0, 1, 2], width);
    let calls: Vec<_> = findings.iter().map(|of| (&of.call_path[..], of.call_site.as_ref())).collect();
    for (mut row, path) in rows.into_iter().zip(place::paths(&calls, room)) {
        row[4] = path;
        grid.row(row);
    }
    grid.text()
}

/// The findings that take at least this share of the basis's location-seconds, inside of it or not, and a line on all others.
pub(super) fn table_above(findings: &[&Finding], basis: &Basis, above: f64, width: Option<u16>) -> String {
    let is_listed =
        |of: &&&Finding| !of.unit().is_time() || of.waiting_time >= above * basis.location_seconds;
    let (listed, others): (Vec<&Finding>, Vec<&Finding>) = findings.iter().partition(is_listed);
    let seconds: f64 = others.iter().map(|of| of.waiting_time).sum();
    let table = if listed.is_empty() { String::new() } else { table(&listed, width) };
    table + &words::more(others.len(), seconds)
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
