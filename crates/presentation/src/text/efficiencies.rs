//! Efficiencies of runs as text.

use std::collections::BTreeSet;

use ats_documents::Efficiencies;
use ats_documents::efficiencies::{Factor, RunEfficiencies, Scaling};

use super::grid::Grid;
use super::printable::printable;
use crate::words;

/// A row for each factor, and a column for each run, as POP prints them: first the factors that are multiplied, then those whose
/// losses add up.
pub fn efficiencies(document: &Efficiencies, width: Option<u16>) -> String {
    let runs = &document.experiments;
    if runs.is_empty() {
        return "There is no such experiment.\n".to_owned();
    }
    let scaling = match document.scaling {
        Scaling::Strong => "all units together",
        Scaling::Weak => "each unit",
    };
    let reference = printable(&document.reference);
    let head = format!("compared with {reference}, where {scaling} did the same work\n");
    let ids: String = runs.iter().map(|run| format!("{}: {}\n", size(run), printable(&run.id))).collect();
    let tables = [
        head,
        facts(runs, width),
        hierarchy("factors", runs, |run| &run.multiplicative, width),
        hierarchy("losses add up", runs, |run| &run.additive, width),
        unknown(runs),
        ids,
    ];
    let tables = tables.into_iter().filter(|table| !table.is_empty());
    tables.collect::<Vec<_>>().join("\n")
}

/// The heading of a run's column: its size, and the tool that reports it.
fn size(run: &RunEfficiencies) -> String {
    let size = words::size(run.ranks, run.threads);
    run.tool.as_ref().map_or(size.clone(), |tool| format!("{size} {}", printable(tool)))
}

/// A grid with a column for each run and one of names.
fn grid(runs: &[RunEfficiencies], what: &str, width: Option<u16>) -> Grid {
    let sizes: Vec<String> = runs.iter().map(size).collect();
    let header: Vec<&str> = sizes.iter().map(String::as_str).chain([what]).collect();
    Grid::new(&header, &(0..runs.len()).collect::<Vec<_>>(), width)
}

fn facts(runs: &[RunEfficiencies], width: Option<u16>) -> String {
    let regions: BTreeSet<&str> = runs.iter().map(|run| run.region.as_str()).collect();
    let mut table = grid(runs, &regions.into_iter().collect::<Vec<_>>().join(", "), width);
    let seconds = |of: fn(&RunEfficiencies) -> f64| runs.iter().map(move |run| format!("{:.6}", of(run)));
    table.row(seconds(|run| run.time).chain(["seconds".to_owned()]));
    table.row(seconds(|run| run.useful).chain(["useful seconds of all units".to_owned()]));
    let speed_up = |run: &RunEfficiencies| run.speed_up.map_or(UNKNOWN.to_owned(), |of| format!("{of:.3}"));
    table.row(runs.iter().map(speed_up).chain(["speed-up".to_owned()]));
    table.text()
}

/// The text in place of an efficiency that is not known, and is not 1.
const UNKNOWN: &str = "n/a";

/// A row for each factor that any run has.
fn hierarchy(
    what: &str,
    runs: &[RunEfficiencies],
    of: fn(&RunEfficiencies) -> &[Factor],
    width: Option<u16>,
) -> String {
    let mut names: Vec<(u32, &str)> = Vec::new();
    for run in runs {
        let mut after = 0;
        for factor in of(run) {
            let name = (factor.depth, factor.name.as_str());
            match names.iter().position(|known| *known == name) {
                Some(at) => after = at + 1,
                None => {
                    names.insert(after, name);
                    after += 1;
                }
            }
        }
    }
    let mut table = grid(runs, what, width);
    for (depth, name) in names {
        let cell = |run: &RunEfficiencies| match of(run).iter().find(|factor| factor.name == name) {
            Some(Factor { value: Some(value), .. }) => format!("{:.2} %", 100.0 * value),
            Some(_) => UNKNOWN.to_owned(),
            None => String::new(),
        };
        let indent = "  ".repeat(depth as usize);
        table.row(runs.iter().map(cell).chain([format!("{indent}{name}")]));
    }
    table.text()
}

/// A line for each reason why a factor is not known.
fn unknown(runs: &[RunEfficiencies]) -> String {
    let factors = runs.iter().flat_map(|run| run.multiplicative.iter().chain(&run.additive));
    let reasons: BTreeSet<&str> = factors.filter_map(|factor| factor.why.as_deref()).collect();
    reasons.into_iter().map(|why| format!("{UNKNOWN}: {why}\n")).collect()
}
