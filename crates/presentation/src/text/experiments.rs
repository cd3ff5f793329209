//! Experiments as text.

use std::path::Path;

use ats_documents::experiment::{FailedRun, Listed, PlannedRun, RunState};
use ats_documents::{Experiment, Experiments, PlannedRuns};

use super::grid::Grid;
use super::profile::amounts;
use crate::printable::printable;

/// The experiments of a repository: those that finished, then those that failed.
pub fn experiments(document: &Experiments, width: Option<u16>) -> String {
    match (&document.experiments[..], &document.failed[..]) {
        ([], []) => "There is no such experiment.\n".to_owned(),
        (experiments, []) => finished(experiments, width),
        ([], runs) => failed(runs, width),
        (experiments, runs) => format!("{}\n{}", finished(experiments, width), failed(runs, width)),
    }
}

/// A row for each.
fn finished(experiments: &[Listed], width: Option<u16>) -> String {
    let mut table = Grid::new(&["ranks", "threads", "repeat", "metrics", "experiment"], &[0, 1, 2, 3], width);
    for Listed { id, run, metrics, .. } in experiments {
        let numbers =
            [run.ranks, run.threads, run.repeat, metrics.len() as u32].map(|number| number.to_string());
        table.row(numbers.into_iter().chain([id.clone()]));
    }
    table.text()
}

/// The same of those that failed.
fn failed(failed: &[FailedRun], width: Option<u16>) -> String {
    let mut table = Grid::new(&["ranks", "threads", "repeat", "failed", "experiment"], &[0, 1, 2], width);
    for FailedRun { listed: Listed { id, run, .. }, run_status, .. } in failed {
        let numbers = [run.ranks, run.threads, run.repeat].map(|number| number.to_string());
        let status = run_status.label().to_owned();
        table.row(numbers.into_iter().chain([status, id.clone()]));
    }
    table.text()
}

/// A row for each run, why some failed, and how many are left.
pub fn planned_runs(document: &PlannedRuns, width: Option<u16>) -> String {
    let mut table = Grid::new(&["ranks", "threads", "repeat", "state", "experiment"], &[0, 1, 2], width);
    for PlannedRun { listed, state, .. } in &document.runs {
        let run = &listed.run;
        let numbers = [run.ranks, run.threads, run.repeat].map(|number| number.to_string());
        let cells = [state.name().to_owned(), listed.id.clone()];
        table.row(numbers.into_iter().chain(cells));
    }
    let said = document.runs.iter().filter_map(|run| Some((run, run.message.as_ref()?)));
    let said: String = said
        .map(|(run, message)| match run.run_status {
            Some(status) => format!("\n{}: {}: {message}\n", run.listed.id, status.label()),
            None => format!("\n{}: {message}\n", run.listed.id),
        })
        .collect();
    let states = RunState::ALL.into_iter().map(|state| (document.count(state), state));
    let counts: Vec<String> = states
        .filter(|(count, state)| *count > 0 || *state == RunState::Left)
        .map(|(count, state)| format!("{count} {}", state.name()))
        .collect();
    let all = document.runs.len();
    let runs = if all == 1 { "run" } else { "runs" };
    format!("{}{said}\n{all} {runs}: {}\n", table.text(), counts.join(", "))
}

/// The facts known about the experiment `id`, then the amounts and metrics of its regions.
pub fn experiment(id: &str, trace: Option<&Path>, experiment: &Experiment, width: Option<u16>) -> String {
    let rows = experiment.totals();
    let mut metrics = Grid::new(&["value", "unit", "origin", "metric", "region"], &[0], width);
    for (region, spent) in &rows {
        for (name, value) in &spent.metrics {
            let metric = experiment.metrics.iter().find(|metric| metric.name == *name);
            let unit = metric.map_or("", |metric| &metric.unit);
            let origin = metric.map_or("", |metric| metric.origin.name());
            metrics.row([&value.to_string(), unit, origin, name, region]);
        }
    }
    let others = if metrics.is_empty() { String::new() } else { format!("\n{}", metrics.text()) };
    format!("{}\n{}{others}", head(id, trace, experiment), amounts(&rows, "region", &[], width))
}

/// The facts known about how it was run.
fn head(id: &str, trace: Option<&Path>, experiment: &Experiment) -> String {
    let (run, machine) = (&experiment.experiment, &experiment.machine);
    let number = |number: Option<u32>| number.map(|number| number.to_string());
    let files: Vec<&str> = experiment.version.files.iter().map(|file| file.name.as_str()).collect();
    let parameters: Vec<String> =
        run.parameters.iter().map(|(name, value)| format!("{name}={value}")).collect();
    let some = |text: String| Some(text).filter(|text| !text.is_empty());
    let known = [
        ("source", Some(run.source.clone())),
        ("trace", trace.map(|trace| trace.display().to_string())),
        ("files", some(files.join(", "))),
        ("command", run.command.clone()),
        ("parameters", some(parameters.join(" "))),
        ("ranks", Some(run.ranks.to_string())),
        ("threads", Some(run.threads.to_string())),
        ("sequential", run.sequential.then(|| "yes".to_owned())),
        ("engine", run.engine.map(|engine| engine.name().to_owned())),
        ("date", run.date.clone()),
        ("seed", run.seed.map(|seed| seed.to_string())),
        ("machine", machine.part_of.clone()),
        ("nodes", number(machine.nodes)),
        ("units per node", number(machine.units_per_node)),
        ("cpu", machine.cpu.clone()),
        ("network", machine.network.clone()),
    ];
    let line = |(name, value): (&str, Option<String>)| Some(format!("{name}: {}\n", printable(&value?)));
    format!("{}\n{}", printable(id), known.into_iter().filter_map(line).collect::<String>())
}
