//! Truths as text.

use std::collections::BTreeMap;

use ats_documents::truth::Truths;
use ats_documents::{Finding, Truth};
use ats_model::WaitState;
use ats_model::locations::{equally_long, in_words, size_in_words};

use super::findings;
use super::grid::Grid;
use crate::words::definition;

/// A table of the runs of a program, each compared with the first.
pub fn truths(truths: &Truths, width: Option<u16>) -> String {
    let head = ["run", "wall time (s)", "waits (s)", "speedup", "efficiency"];
    let mut table = Grid::new(&head, &[1, 2, 3, 4], width);
    for run in &truths.runs {
        let size = size_in_words(run.ranks, run.threads);
        let (wall_time, waits) = (format!("{:.6}", run.wall_time), format!("{:.6}", run.waiting_time));
        let (speedup, efficiency) = (format!("{:.3}", run.speedup), format!("{:.3}", run.efficiency));
        table.row([size, wall_time, waits, speedup, efficiency]);
    }
    let Truths { program, parameters, runs, .. } = truths;
    let parameters = called_with(parameters);
    format!("{program} in {} runs{parameters}\n\n{}", runs.len(), table.text())
}

/// Parameters with their values, after a comma, if there are any.
fn called_with(parameters: &BTreeMap<String, String>) -> String {
    let values: String = parameters.iter().map(|(name, value)| format!(" {name}={value}")).collect();
    if values.is_empty() { values } else { format!(",{values}") }
}

/// The waits that a program shows, and what each location waits; then their definitions and formulas.
pub fn truth(truth: &Truth, width: Option<u16>) -> String {
    let size = size_in_words(truth.ranks as usize, truth.threads as usize);
    let parameters = called_with(&truth.parameters);
    let network = truth.network.iter().map(|network| format!("network: {network}\n")).collect::<String>();
    let basis = findings::basis(&truth.basis);
    let mut text = format!("{} on {size}{parameters}\n{network}{basis}\n\n", truth.program);
    if truth.findings.is_empty() {
        text += "Nothing is to be found.\n";
    } else {
        text += &findings::table(&truth.findings.iter().collect::<Vec<_>>(), width);
    }
    text += &each(&truth.findings, width);
    text += &why(&truth.findings);
    text + &absent(truth)
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
        let equal = equally_long(waits).into_iter();
        let mut rows: Vec<_> = equal.map(|(seconds, places)| (format!("{seconds:.6}"), places)).collect();
        rows.sort_by(|(_, a), (_, b)| a.cmp(b));
        if rows.len() > MOST_ROWS {
            let seconds = || finding.locations.iter().map(|share| share.waiting_time);
            let (least, most) = (seconds().fold(f64::INFINITY, f64::min), seconds().fold(0.0, f64::max));
            let mut places = finding.places();
            places.sort();
            rows = vec![(format!("{least:.6} … {most:.6}"), places)];
        }
        for (seconds, places) in rows {
            let whom = finding.property.and_then(WaitState::awaited).unwrap_or_default();
            let path = finding.call_path.join("/");
            grid.row([&*seconds, &in_words(&places), whom, finding.name(), &path]);
        }
    }
    if grid.is_empty() { String::new() } else { format!("\n{}", grid.text()) }
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
    }
    text
}
