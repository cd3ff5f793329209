//! Root causes of waits, and the critical path, as text.

use std::collections::BTreeMap;

use ats_documents::causes::{Cause, CausedFinding, Causes};
use ats_documents::{Analysis, Finding};
use ats_model::delay::Delay;
use ats_model::locations::{Location, in_words};

use super::grid::Grid;
use crate::causes::{by_call_path, call_paths};
use crate::words::percent;

/// The number of causes that are shown of each finding, and of call paths on the critical path.
const FIRST: usize = 3;

/// The most findings whose first causes are shown.
const FINDINGS: usize = 64;

/// The most call paths of the critical path that are shown.
const ON_PATH: usize = 8;

/// The first causes of each finding, the critical path, and the seconds that have no cause; empty if causes were not
/// looked for.
pub(super) fn causes(analysis: &Analysis, width: Option<u16>) -> String {
    let Some(causes) = &analysis.causes else { return String::new() };
    let (shown, others) = causes.findings.split_at(causes.findings.len().min(FINDINGS));
    let first = shown.iter().map(|caused| {
        let rows = by_place(&caused.causes);
        let left = rows.get(FIRST..).unwrap_or_default();
        let table = table(causes, caused, &rows[..rows.len().min(FIRST)], width);
        let seconds: f64 = left.iter().map(Row::seconds).sum();
        let (number, more) = (left.len(), if left.len() == 1 { "cause" } else { "causes" });
        let left = match number {
            0 => String::new(),
            _ => format!("and {number} more {more}, {seconds:.6} s (--of ID shows all)\n"),
        };
        format!("\n{}\n{table}{left}", title(analysis, caused))
    });
    let first: String = first.collect();
    let none = if first.is_empty() { "\nNo wait has a cause.\n" } else { "" };
    let left = left_out(causes, others);
    let rest = format!("{}{}", critical_path(causes, width), unattributed(analysis, causes, width));
    format!("\nRoot causes:\n{none}{first}{left}{rest}")
}

/// A sentence about the findings that are not shown, and those whose causes are not told apart; empty if there are none.
fn left_out(causes: &Causes, others: &[CausedFinding]) -> String {
    let mut text = String::new();
    if !others.is_empty() {
        let seconds: f64 = others.iter().map(CausedFinding::waited).sum();
        let findings = if others.len() == 1 { "finding" } else { "findings" };
        text += &format!("\nand {} more {findings}, {seconds:.6} s (--of ID shows one)\n", others.len());
    }
    if causes.omitted > 0 {
        text += &format!("\n{}\n", only_largest(causes));
    }
    text
}

/// The limit of findings with causes of their own, in words.
fn only_largest(causes: &Causes) -> String {
    format!(
        "Causes are kept for each of the {} largest findings, and only by kind of wait for the {} others.",
        Causes::LARGEST,
        causes.omitted
    )
}

/// All causes of a finding, by its id, location by location.
pub fn causes_of(analysis: &Analysis, finding: &str, width: Option<u16>) -> String {
    let caused = analysis.causes.as_ref().and_then(|causes| {
        let caused = causes.findings.iter().find(|caused| caused.finding == finding)?;
        Some((causes, caused))
    });
    let Some((causes, caused)) = caused else {
        return match analysis.causes.as_ref().filter(|causes| is_omitted(analysis, causes, finding)) {
            Some(causes) => format!(
                "The causes of {} were not kept. {}\n",
                label(analysis, finding),
                only_largest(causes)
            ),
            None => format!("{} has no known causes.\n", label(analysis, finding)),
        };
    };
    let each: Vec<Row> = caused.causes.iter().map(Row::from_cause).collect();
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
        grid.row([&format!("{seconds:.6}"), &share(seconds, caused.waited()), what]);
    }
    let kinds = if grid.is_empty() { String::new() } else { format!("\n{}", grid.text()) };
    format!("{}\n{table}{kinds}", title(analysis, caused))
}

/// Whether a finding without causes of its own may be one of those that were left out.
fn is_omitted(analysis: &Analysis, causes: &Causes, finding: &str) -> bool {
    let of_finding = analysis.findings.iter().find(|known| known.id == finding);
    let delay = of_finding.and_then(|finding| Delay::from_wait_state(finding.property?));
    causes.omitted > 0 && delay.is_some_and(|delay| delay.extent() <= causes.extent)
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
    fn from_cause(cause: &Cause) -> Self {
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
        let one = Row::from_cause(cause);
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
    let paths = call_paths(causes, rows.iter().map(|row| row.call_path));
    for (row, path) in rows.iter().zip(paths) {
        let units = row.units.iter().filter_map(|&unit| causes.units.get(unit as usize));
        let mut places: Vec<Location> =
            units.map(|unit| Location { rank: unit.rank, thread: unit.thread }).collect();
        places.sort();
        grid.row([
            share(row.seconds(), caused.waited()),
            format!("{:.6}", row.seconds()),
            path,
            in_words(&places),
            row.way(),
        ]);
    }
    if grid.is_empty() { String::new() } else { grid.text() }
}

/// A finding with causes, and its seconds.
fn title(analysis: &Analysis, caused: &CausedFinding) -> String {
    format!("{}, {:.6} s:", label(analysis, &caused.finding), caused.waited())
}

/// A finding as tables show it, by its id.
fn label(analysis: &Analysis, id: &str) -> String {
    let finding = analysis.findings.iter().find(|finding| finding.id == id);
    finding.map_or_else(|| id.to_owned(), Finding::label)
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
    let names = call_paths(causes, paths.iter().take(ON_PATH).map(|(path, _)| *path));
    for (&(path, seconds), name) in paths.iter().zip(names) {
        let imbalance = imbalance.get(&path).copied().unwrap_or_default();
        grid.row([share(seconds, length), format!("{seconds:.6}"), format!("{imbalance:.6}"), name]);
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
fn unattributed(analysis: &Analysis, causes: &Causes, width: Option<u16>) -> String {
    let mut grid = Grid::new(&["share", "seconds", "finding"], &[0, 1], width);
    for caused in causes.findings.iter().filter(|caused| caused.unattributed >= LEAST) {
        let seconds = caused.unattributed;
        grid.row([
            &share(seconds, caused.waited()),
            &format!("{seconds:.6}"),
            &label(analysis, &caused.finding),
        ]);
    }
    if grid.is_empty() { String::new() } else { format!("\nWithout a cause:\n{}", grid.text()) }
}

#[cfg(test)]
mod tests {
    use ats_documents::Analysis;
    use ats_model::CallSite;

    use super::*;
    use crate::causes::tests::analysis;

    #[test]
    fn causes_stand_below_what_was_found() {
        insta::assert_snapshot!(super::super::analysis(&analysis(), 0.0, None));
    }

    #[test]
    fn one_finding_has_all_of_its_causes() {
        let analysis = analysis();
        insta::assert_snapshot!(causes_of(&analysis, "wait_at_barrier@main/MPI_Barrier", None));
        assert_eq!(causes_of(&analysis, "x@y", None), "x@y has no known causes.\n");
    }

    #[test]
    fn headings_have_no_folders_of_source_files() {
        let mut analysis = analysis();
        let site = CallSite { function: "halo".into(), file: "/home/me/heat.c".into(), line: 12 };
        let finding = analysis.findings.remove(0).called_at(Some(site));
        let id = finding.id.clone();
        analysis.findings.push(finding);
        analysis.causes.as_mut().unwrap().findings[0].finding = id.clone();
        let heading = "wait_at_barrier@main/MPI_Barrier in halo (heat.c:12), 0.800000 s:\n";
        let (all, one) = (super::super::analysis(&analysis, 0.0, None), causes_of(&analysis, &id, None));
        assert!(all.contains(heading) && one.starts_with(heading) && !(all + &one).contains("/home"));
    }

    #[test]
    fn findings_beyond_the_limit_are_counted() {
        let mut analysis = analysis();
        let causes = analysis.causes.as_mut().unwrap();
        let small =
            CausedFinding { finding: "small".to_owned(), unattributed: 0.25, ..CausedFinding::default() };
        causes.findings.extend(std::iter::repeat_n(small, FINDINGS));
        causes.omitted = 7;
        let last = causes.findings.remove(1).finding;
        let text = super::super::analysis(&analysis, 0.0, None);
        assert!(text.contains("\nand 1 more finding, 0.250000 s (--of ID shows one)\n"), "{text}");
        let limit = "for each of the 1000 largest findings, and only by kind of wait for the 7 others.\n";
        assert!(text.contains(limit), "{text}");
        let text = causes_of(&analysis, &last, None);
        assert!(
            text.starts_with("The causes of late_sender@main/MPI_Recv were not kept. ")
                && text.ends_with(limit)
        );
    }

    #[test]
    fn an_analysis_without_causes_shows_none() {
        let with = analysis();
        let without = Analysis { causes: None, ..with.clone() };
        let text = super::super::analysis(&without, 0.0, None);
        assert!(
            super::super::analysis(&with, 0.0, None).starts_with(&text) && !text.contains("cause"),
            "{text}"
        );
        let nothing = Analysis { causes: Some(Causes::default()), ..with };
        let text = super::super::analysis(&nothing, 0.0, None);
        assert!(text.ends_with("\nRoot causes:\n\nNo wait has a cause.\n"), "{text}");
    }
}
