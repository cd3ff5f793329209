//! Truths as text.

use std::collections::BTreeMap;

use ats_documents::{Causes, Finding, Truth};
use ats_model::WaitState;
use ats_model::locations::{Location, equally_long, in_words, size_in_words};

use super::causes::LEAST;
use super::findings;
use super::grid::Grid;
use crate::causes::call_paths;
use crate::words::definition;

/// A table of the runs of a program, each compared with the first.
fn runs(truth: &Truth, width: Option<u16>) -> String {
    let head = ["run", "wall time (s)", "waits (s)", "speedup", "efficiency"];
    let mut table = Grid::new(&head, &[1, 2, 3, 4], width);
    for run in &truth.runs {
        let size = size_in_words(run.ranks, run.threads);
        let (wall_time, waits) = (format!("{:.6}", run.wall_time), format!("{:.6}", run.waiting_time));
        let (speedup, efficiency) = (format!("{:.3}", run.speedup), format!("{:.3}", run.efficiency));
        table.row([size, wall_time, waits, speedup, efficiency]);
    }
    let Truth { program, parameters, runs, .. } = truth;
    let parameters = called_with(parameters);
    format!("{program} in {} runs{parameters}\n\n{}", runs.len(), table.text())
}

/// Parameters with their values, after a comma, if there are any.
fn called_with(parameters: &BTreeMap<String, String>) -> String {
    let values: String = parameters.iter().map(|(name, value)| format!(" {name}={value}")).collect();
    if values.is_empty() { values } else { format!(",{values}") }
}

/// The waits that a program shows, and what each location waits; then their definitions and formulas. Of an experiment, its
/// runs.
pub fn truth(truth: &Truth, width: Option<u16>) -> String {
    if !truth.runs.is_empty() {
        return runs(truth, width);
    }
    let size = size_in_words(truth.ranks as usize, truth.threads as usize);
    let parameters = called_with(&truth.parameters);
    let machine = [("network", &truth.network), ("costs", &truth.costs), ("processors", &truth.processors)];
    let machine =
        machine.into_iter().filter_map(|(name, words)| Some(format!("{name}: {}\n", words.as_ref()?)));
    let machine: String = machine.collect();
    let basis = findings::basis(&truth.basis);
    let mut text = format!("{} on {size}{parameters}\n{machine}{basis}\n\n", truth.program);
    if truth.findings.is_empty() {
        text += "Nothing is to be found.\n";
    } else {
        text += &findings::table(&truth.findings.iter().collect::<Vec<_>>(), width);
    }
    text += &each(&truth.findings, width);
    text += &why(&truth.findings);
    text += &absent(truth);
    text + &truth.causes.as_ref().map_or_else(String::new, |causes| self::causes(causes, width))
}

/// The wait states that a tool should not report, in short: mostly all the others.
fn absent(truth: &Truth) -> String {
    let is_found = |state| truth.findings.iter().any(|finding| finding.property == Some(state));
    let is_neither = |state: &WaitState| !truth.absent.contains(state) && !is_found(*state);
    let neither: Vec<&str> = WaitState::ALL.into_iter().filter(is_neither).map(WaitState::name).collect();
    let all = if truth.findings.is_empty() { "all wait states" } else { "all other wait states" };
    let but = if neither.is_empty() { String::new() } else { format!(" but {}", neither.join(", ")) };
    format!("\nabsent: {all}{but} (`ats list --waits`)\n")
}

/// So many rows at most say who of a finding waits how long.
const MOST_ROWS: usize = 16;

/// A table of the waits of each location, with the location's awaited partner; locations with equal waits share a row.
fn each(findings: &[Finding], width: Option<u16>) -> String {
    let mut grid = Grid::new(&["each waits (s)", "locations", "for", "wait state", "call path"], &[0], width);
    for finding in findings.iter().filter(|finding| finding.unit().is_time()) {
        let waits = finding.locations.iter().map(|share| (share.waiting_time, share.place()));
        for (_, seconds, places) in by_amount(waits) {
            let whom = finding.property.and_then(WaitState::awaited).unwrap_or_default();
            let path = finding.call_path.join("/");
            grid.row([&*seconds, &in_words(&places), whom, finding.name(), &path]);
        }
    }
    if grid.is_empty() { String::new() } else { format!("\n{}", grid.text()) }
}

/// The seconds of locations: the largest, in words, and the locations; equal ones together, and all of them if there are
/// too many amounts.
fn by_amount(amounts: impl Iterator<Item = (f64, Location)> + Clone) -> Vec<(f64, String, Vec<Location>)> {
    let equal = equally_long(amounts.clone()).into_iter();
    let mut rows: Vec<_> =
        equal.map(|(seconds, places)| (seconds, format!("{seconds:.6}"), places)).collect();
    rows.sort_by(|(.., one), (.., other)| one.cmp(other));
    if rows.len() > MOST_ROWS {
        let seconds = || amounts.clone().map(|(seconds, _)| seconds);
        let (least, most) = (seconds().fold(f64::INFINITY, f64::min), seconds().fold(0.0, f64::max));
        let mut places: Vec<Location> = amounts.map(|(_, place)| place).collect();
        places.sort();
        rows = vec![(most, format!("{least:.6} … {most:.6}"), places)];
    }
    rows
}

/// A table of root causes, metric by metric, the largest first; locations with equal costs share a row. Rows that would
/// show 0.000000 s are counted only.
fn causes(causes: &Causes, width: Option<u16>) -> String {
    let mut grid = Grid::new(&["metric", "each (s)", "locations", "call path"], &[1], width);
    let mut left_out = 0_u64;
    for (metric, cells) in &causes.metrics {
        let mut by_path: BTreeMap<u32, Vec<(f64, Location)>> = BTreeMap::new();
        for &(path, unit, seconds) in cells {
            let place = causes.units.get(unit as usize);
            let place = place.map(|unit| Location { rank: unit.rank, thread: unit.thread });
            by_path.entry(path).or_default().extend(place.map(|place| (seconds, place)));
        }
        let of_path = |(path, amounts): (u32, Vec<(f64, Location)>)| {
            by_amount(amounts.into_iter()).into_iter().map(move |row| (row, path))
        };
        let mut rows: Vec<_> = by_path.into_iter().flat_map(of_path).collect();
        rows.sort_by(|((one, ..), _), ((other, ..), _)| other.total_cmp(one));
        let names = call_paths(causes, rows.iter().map(|(_, path)| *path));
        for (((most, seconds, places), _), name) in rows.into_iter().zip(names) {
            if most < LEAST {
                left_out += 1;
            } else {
                grid.row([&**metric, &seconds, &in_words(&places), &name]);
            }
        }
    }
    let table = match (grid.is_empty(), left_out) {
        (false, _) => grid.text(),
        (true, 0) => "No wait has a cause.\n".to_owned(),
        (true, _) => String::new(),
    };
    let left_out = match left_out {
        0 => String::new(),
        1 => "and 1 row of 0.000000 s (--format json has it)\n".to_owned(),
        number => format!("and {number} rows of 0.000000 s (--format json has them)\n"),
    };
    format!("\nRoot causes, in the whole program:\n{table}{left_out}")
}

/// The definitions of the wait states, and the closed forms, if there are some.
fn why(findings: &[Finding]) -> String {
    let mut states: Vec<WaitState> = findings.iter().filter_map(|finding| finding.property).collect();
    states.dedup();
    let mut text = String::new();
    for (number, &state) in states.iter().enumerate() {
        if !states[..number].contains(&state) {
            text += &format!("\n{}: {}\n", state.name(), definition(state.name()));
        }
    }
    for finding in findings {
        if let Some(formula) = &finding.formula {
            text += &format!("\nformula of {}: {formula}\n", finding.id);
        }
        let causes: Vec<String> = match finding.explained_by.len() {
            1 => finding.explained_by.keys().map(|cause| cause.name().to_owned()).collect(),
            _ => finding
                .explained_by
                .iter()
                .map(|(cause, part)| format!("{} {part:.6} s", cause.name()))
                .collect(),
        };
        if !causes.is_empty() {
            text += &format!("cause of {}: {}\n", finding.id, causes.join(", "));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use ats_documents::profile::ProcessingUnit;

    use super::*;

    /// The text for one metric with these seconds at one call path each, on one location.
    fn shown(seconds: &[f64]) -> String {
        let cells = (0..).zip(seconds).map(|(path, &seconds)| (path, 0, seconds)).collect();
        let causes = Causes {
            units: vec![ProcessingUnit { rank: 0, thread: 0, node: None }],
            call_paths: (0..seconds.len()).map(|number| vec![format!("f{number}")]).collect(),
            metrics: [("delay_barrier".to_owned(), cells)].into(),
            ..Causes::default()
        };
        self::causes(&causes, None)
    }

    #[test]
    fn costs_that_would_be_shown_as_nothing_are_counted() {
        let (head, last) = ("\nRoot causes, in the whole program:\n", "of 0.000000 s (--format json has");
        let table = "metric         each (s)  locations  call path\n\
                     delay_barrier  0.500000  0          f0\n";
        let least = "delay_barrier  0.000001  0          f1\n";
        assert_eq!(shown(&[0.5, 5.1e-7]), format!("{head}{table}{least}"));
        assert_eq!(shown(&[0.5, 4.9e-7]), format!("{head}{table}and 1 row {last} it)\n"));
        assert_eq!(shown(&[0.5, 4.9e-7, 1e-9]), format!("{head}{table}and 2 rows {last} them)\n"));
        assert_eq!(shown(&[1e-9]), format!("{head}and 1 row {last} it)\n"));
        assert_eq!(shown(&[]), format!("{head}No wait has a cause.\n"));
    }
}
