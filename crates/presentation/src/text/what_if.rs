//! Gains of changes as text.

use std::collections::BTreeSet;

use ats_documents::WhatIf;
use ats_documents::efficiencies::Factor;
use ats_documents::what_if::{OnCriticalPath, SimulatedRun, StateOfRun};
use ats_model::{CallSite, WaitState};

use super::causes::LEAST;
use super::efficiencies::UNKNOWN;
use super::grid::Grid;
use crate::gains::{HEADINGS, head, limit, rows, seconds, together};
use crate::place;
use crate::printable::{printable, printable_lines};
use crate::words::{percent, title};

/// The most waits and call paths that are shown of each run.
const SHOWN: usize = 4;

/// The part of the critical path that a call path has which is not listed.
const SMALL: &str = "under 1 %";

/// The unknown, the run, and a row for each change; then the run before and with the last of them, and what limits it then.
pub fn what_if(document: &WhatIf, width: Option<u16>) -> String {
    let line = |line: String| printable(&line).into_owned() + "\n";
    let mut table = Grid::new(&HEADINGS, &[0, 1, 2, 3], width);
    for row in rows(document) {
        table.row(row);
    }
    let mut parts =
        vec![head(document).into_iter().map(line).collect(), table.text() + &line(together(document))];
    parts.extend(document.answers.last().map(|answer| beside(&document.before, &answer.after, width)));
    parts.extend(limit(document).map(line));
    parts.extend(document.simulated.as_ref().map(simulated));
    parts.join("\n")
}

/// Efficiencies, waits and critical path of a run, without changes and with those of the last row.
fn beside(before: &StateOfRun, after: &StateOfRun, width: Option<u16>) -> String {
    let both = [before, after];
    let reasons: BTreeSet<&str> =
        both.iter().flat_map(|run| &run.factors).filter_map(|of| of.why.as_deref()).collect();
    let reasons: String = reasons.into_iter().map(|why| format!("{UNKNOWN}: {why}\n")).collect();
    let factors = table("factors", factors(both), width) + &reasons;
    let waits = table("waits of all locations", waits(both), width);
    let path = table("critical path", critical_path(both), width);
    let parts = [factors, waits, path].into_iter().filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join("\n")
}

fn simulated(run: &SimulatedRun) -> String {
    let version = run.version.as_ref().map(|version| format!(" {version}")).unwrap_or_default();
    let sentence = format!(
        "{}{version} predicts {} on the network {}, where a replay takes {}",
        run.simulator,
        seconds(run.seconds),
        run.network,
        seconds(run.replayed)
    );
    let losses = run.losses.iter().map(|loss| format!("\n  {loss}")).collect::<String>();
    format!("{}\n", printable_lines(&(sentence + &losses)))
}

/// A table with a row for each cell of both runs and its name.
fn table(what: &str, rows: Vec<([String; 2], String)>, width: Option<u16>) -> String {
    let mut grid = Grid::new(&["before", "after", what], &[0, 1], width);
    for ([before, after], name) in rows {
        grid.row([before, after, name]);
    }
    if grid.is_empty() { String::new() } else { grid.text() }
}

fn factors(both: [&StateOfRun; 2]) -> Vec<([String; 2], String)> {
    let row = |Factor { name, depth, .. }: &Factor| {
        let value = |run: &StateOfRun| {
            let value = run.factors.iter().find(|of| of.name == *name).and_then(|of| of.value);
            value.map_or_else(|| UNKNOWN.to_owned(), percent)
        };
        (both.map(value), "  ".repeat(depth.saturating_sub(1) as usize) + name)
    };
    both[0].factors.iter().map(row).collect()
}

fn waits(both: [&StateOfRun; 2]) -> Vec<([String; 2], String)> {
    let row = |kind: WaitState| {
        let of_run = |run: &StateOfRun| {
            let of_kind = run.waits.iter().find(|of| of.property == kind);
            seconds(of_kind.map_or(0.0, |of| of.seconds))
        };
        (both.map(of_run), title(kind.name()))
    };
    kinds(both).into_iter().map(row).collect()
}

fn critical_path(both: [&StateOfRun; 2]) -> Vec<([String; 2], String)> {
    let places = places(both);
    let names = place::paths_or_outside(&places);
    let row = |(&(path, site), name): (&(&[String], Option<&CallSite>), String)| {
        let is_there = |of: &&OnCriticalPath| of.call_path == path && of.call_site.as_ref() == site;
        let of_run = |run: &StateOfRun| {
            let of_path = run.critical_path.iter().find(is_there);
            of_path.map_or_else(|| SMALL.to_owned(), |of| seconds(of.seconds))
        };
        (both.map(of_run), name)
    };
    places.iter().zip(names).map(row).collect()
}

/// The largest kinds of waits of both runs.
fn kinds(both: [&StateOfRun; 2]) -> Vec<WaitState> {
    let mut kinds = Vec::new();
    for of in both.into_iter().flat_map(|run| run.waits.iter().take(SHOWN)) {
        if of.seconds >= LEAST && !kinds.contains(&of.property) {
            kinds.push(of.property);
        }
    }
    kinds
}

/// The call paths with most of the critical path, of both runs.
fn places(both: [&StateOfRun; 2]) -> Vec<(&[String], Option<&CallSite>)> {
    let mut places = Vec::new();
    for of in both.into_iter().flat_map(|run| run.critical_path.iter().take(SHOWN)) {
        let place = (&of.call_path[..], of.call_site.as_ref());
        if !places.contains(&place) {
            places.push(place);
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use ats_documents::what_if::{WaitsOfKind, WhatIfAnswer};

    use super::*;

    /// A run whose network is not known if it has no transfer efficiency.
    fn run(wall: f64, transfer: Option<f64>, late: f64, path: &[(&[&str], f64)]) -> StateOfRun {
        let factor = |depth, name: &str, value: Option<f64>| Factor {
            name: name.to_owned(),
            depth,
            value,
            why: value.is_none().then(|| "the replay is too far off".to_owned()),
        };
        let on_path = |(names, seconds): &(&[&str], f64)| OnCriticalPath {
            call_path: names.iter().map(ToString::to_string).collect(),
            seconds: *seconds,
            ..OnCriticalPath::default()
        };
        StateOfRun {
            seconds: wall,
            efficiency: 5.4 / wall,
            factors: vec![
                factor(1, "parallel efficiency", Some(5.4 / wall)),
                factor(2, "transfer efficiency", transfer),
            ],
            waits: vec![WaitsOfKind { property: WaitState::LateSender, seconds: late }],
            critical_path: path.iter().map(on_path).collect(),
            ..StateOfRun::default()
        }
    }

    #[test]
    fn a_run_stands_beside_itself_with_all_changes() {
        let answer = |words: &[&str], after: StateOfRun| WhatIfAnswer {
            changes: words.iter().map(ToString::to_string).collect(),
            gain: 10.0 - after.seconds,
            is_certain: true,
            after,
            ..WhatIfAnswer::default()
        };
        let both = run(6.1, Some(0.9), 0.25, &[(&["main", "norm"], 4.0), (&["main"], 2.0)]);
        let document = WhatIf {
            trace: "trace".to_owned(),
            recorded: 10.0,
            before: run(10.0, None, 4.0, &[(&["main", "solve"], 9.5)]),
            floor: 5.4,
            answers: vec![
                answer(&["--balance", "solve"], run(7.2, None, 1.0, &[])),
                answer(&["--balance", "norm"], run(8.9, None, 3.0, &[])),
                answer(&["--balance", "solve", "--balance", "norm"], both),
            ],
            together: vec![7.2, 6.1],
            ..WhatIf::default()
        };
        insta::assert_snapshot!(what_if(&document, None));
    }
}
