//! Root causes of waits, and the critical path, as text.

use std::collections::BTreeMap;

use ats_documents::Analysis;
use ats_documents::causes::{Cause, CausedFinding, Causes};
use ats_model::locations::{Location, in_words};

use super::grid::Grid;
use crate::causes::{by_call_path, call_path};
use crate::words::percent;

/// The number of causes that are shown of each finding, and of call paths on the critical path.
const FIRST: usize = 3;

/// The most call paths of the critical path that are shown.
const ON_PATH: usize = 8;

/// The first causes of each finding, the critical path, and the seconds that have no cause; empty if causes were not
/// looked for.
pub(super) fn causes(analysis: &Analysis, width: Option<u16>) -> String {
    let Some(causes) = &analysis.causes else { return String::new() };
    let first = causes.findings.iter().map(|caused| {
        let rows = by_place(&caused.causes);
        let left = rows.get(FIRST..).unwrap_or_default();
        let table = table(causes, caused, &rows[..rows.len().min(FIRST)], width);
        let seconds: f64 = left.iter().map(Row::seconds).sum();
        let (number, more) = (left.len(), if left.len() == 1 { "cause" } else { "causes" });
        let left = match number {
            0 => String::new(),
            _ => format!("and {number} more {more}, {seconds:.6} s (--of ID shows all)\n"),
        };
        format!("\n{}\n{table}{left}", title(caused))
    });
    let first: String = first.collect();
    let none = if first.is_empty() { "\nNo wait has a cause.\n" } else { "" };
    format!("\nRoot causes:\n{none}{first}{}{}", critical_path(causes, width), unattributed(causes, width))
}

/// All causes of a finding, by its id, location by location.
pub fn causes_of(analysis: &Analysis, finding: &str, width: Option<u16>) -> String {
    let caused = analysis.causes.as_ref().and_then(|causes| {
        let caused = causes.findings.iter().find(|caused| caused.finding == finding)?;
        Some((causes, caused))
    });
    let Some((causes, caused)) = caused else { return format!("{finding} has no known causes.\n") };
    let each: Vec<Row> = caused.causes.iter().map(Row::of).collect();
    let table = table(causes, caused, &each, width);
    let parts = [
        ("direct", caused.direct),
        ("through other waits", caused.indirect),
        ("making others wait", caused.propagating),
        ("making nobody wait", caused.terminal),
        ("without a cause", caused.unattributed),
    ];
    let mut grid = Grid::new(&["seconds", "share", "waits"], &[0, 1], width);
    for (what, seconds) in parts.into_iter().filter(|(_, seconds)| *seconds != 0.0) {
        grid.row([&format!("{seconds:.6}"), &share(seconds, waited(caused)), what]);
    }
    let kinds = if grid.is_empty() { String::new() } else { format!("\n{}", grid.text()) };
    format!("{}\n{table}{kinds}", title(caused))
}

/// Causes at one call path.
struct Row {
    call_path: u32,
    units: Vec<u32>,
    direct: f64,
    indirect: f64,
    /// Waits between, times the indirect seconds.
    weight: f64,
}

impl Row {
    fn of(cause: &Cause) -> Self {
        let &Cause { call_path, unit, direct, indirect, hops } = cause;
        Row { call_path, units: vec![unit], direct, indirect, weight: hops * indirect }
    }

    fn seconds(&self) -> f64 {
        self.direct + self.indirect
    }

    /// `direct`, `through 2 waits`, or both with their shares.
    fn way(&self) -> String {
        let hops = if self.indirect > 0.0 { self.weight / self.indirect } else { 0.0 };
        let number = format!("{hops:.1}");
        let number = number.strip_suffix(".0").unwrap_or(&number);
        let through = format!("through {number} wait{}", if number == "1" { "" } else { "s" });
        match (self.direct > 0.0, self.indirect > 0.0) {
            (_, false) => "direct".to_owned(),
            (false, true) => through,
            (true, true) => format!("{} direct, else {through}", percent(self.direct / self.seconds())),
        }
    }
}

/// Causes at one call path added up, the largest first.
fn by_place(causes: &[Cause]) -> Vec<Row> {
    let mut rows: BTreeMap<u32, Row> = BTreeMap::new();
    for cause in causes {
        let one = Row::of(cause);
        rows.entry(cause.call_path)
            .and_modify(|row| {
                row.units.push(cause.unit);
                row.direct += one.direct;
                row.indirect += one.indirect;
                row.weight += one.weight;
            })
            .or_insert(one);
    }
    let mut rows: Vec<Row> = rows.into_values().collect();
    rows.sort_by(|one, other| other.seconds().total_cmp(&one.seconds()));
    rows
}

fn table(causes: &Causes, caused: &CausedFinding, rows: &[Row], width: Option<u16>) -> String {
    let header = ["share", "seconds", "cause", "locations", "way"];
    let mut grid = Grid::new(&header, &[0, 1], width);
    for row in rows {
        let units = row.units.iter().filter_map(|&unit| causes.units.get(unit as usize));
        let mut places: Vec<Location> =
            units.map(|unit| Location { rank: unit.rank, thread: unit.thread }).collect();
        places.sort();
        grid.row([
            share(row.seconds(), waited(caused)),
            format!("{:.6}", row.seconds()),
            call_path(causes, row.call_path),
            in_words(&places),
            row.way(),
        ]);
    }
    if grid.is_empty() { String::new() } else { grid.text() }
}

/// The seconds that a finding waits.
fn waited(caused: &CausedFinding) -> f64 {
    caused.direct + caused.indirect + caused.unattributed
}

/// A finding with causes, and its seconds.
fn title(caused: &CausedFinding) -> String {
    format!("{}, {:.6} s:", caused.finding, waited(caused))
}

/// A share in percent, of nothing a dash.
fn share(part: f64, whole: f64) -> String {
    if whole > 0.0 { percent(part / whole) } else { "–".to_owned() }
}

/// The critical path: its length, and the call paths that have most of it.
fn critical_path(causes: &Causes, width: Option<u16>) -> String {
    let length = causes.critical_path.seconds;
    let (on_path, imbalance) =
        (by_call_path(causes, "critical_path"), by_call_path(causes, "critical_path_imbalance"));
    let mut paths: Vec<(u32, f64)> = on_path.into_iter().collect();
    if length <= 0.0 && paths.is_empty() {
        return String::new();
    }
    paths.sort_by(|(_, one), (_, other)| other.total_cmp(one));
    let header = ["share", "seconds", "imbalance", "call path"];
    let mut grid = Grid::new(&header, &[0, 1, 2], width);
    for &(path, seconds) in paths.iter().take(ON_PATH) {
        let imbalance = imbalance.get(&path).copied().unwrap_or_default();
        grid.row([
            share(seconds, length),
            format!("{seconds:.6}"),
            format!("{imbalance:.6}"),
            call_path(causes, path),
        ]);
    }
    let left = paths.get(ON_PATH..).unwrap_or_default();
    let rest: f64 = left.iter().map(|(_, seconds)| seconds).sum();
    let left = match left.len() {
        0 => String::new(),
        1 => format!("and 1 more call path, {rest:.6} s\n"),
        number => format!("and {number} more call paths, {rest:.6} s\n"),
    };
    format!("\nCritical path, {length:.6} s:\n{}{left}", grid.text())
}

/// The fewest seconds that a table shows as more than 0.000000.
pub(super) const LEAST: f64 = 0.5e-6;

/// The seconds of findings that have no cause.
fn unattributed(causes: &Causes, width: Option<u16>) -> String {
    let mut grid = Grid::new(&["share", "seconds", "finding"], &[0, 1], width);
    for caused in causes.findings.iter().filter(|caused| caused.unattributed >= LEAST) {
        let seconds = caused.unattributed;
        grid.row([&share(seconds, waited(caused)), &format!("{seconds:.6}"), &caused.finding]);
    }
    if grid.is_empty() { String::new() } else { format!("\nWithout a cause:\n{}", grid.text()) }
}

#[cfg(test)]
mod tests {
    use ats_documents::Analysis;

    use super::*;
    use crate::causes::tests::analysis;

    #[test]
    fn causes_stand_below_what_was_found() {
        insta::assert_snapshot!(super::super::analysis(&analysis(), None));
    }

    #[test]
    fn one_finding_has_all_of_its_causes() {
        let analysis = analysis();
        insta::assert_snapshot!(causes_of(&analysis, "wait_at_barrier@main/MPI_Barrier", None));
        assert_eq!(causes_of(&analysis, "x@y", None), "x@y has no known causes.\n");
    }

    #[test]
    fn an_analysis_without_causes_shows_none() {
        let with = analysis();
        let without = Analysis { causes: None, ..with.clone() };
        let text = super::super::analysis(&without, None);
        assert!(super::super::analysis(&with, None).starts_with(&text) && !text.contains("cause"), "{text}");
        let nothing = Analysis { causes: Some(Causes::default()), ..with };
        let text = super::super::analysis(&nothing, None);
        assert!(text.ends_with("\nRoot causes:\n\nNo wait has a cause.\n"), "{text}");
    }
}
