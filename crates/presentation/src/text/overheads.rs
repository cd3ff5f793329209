//! Overheads of parallel runs as text.

use std::collections::BTreeSet;

use ats_documents::Overheads;
use ats_documents::overheads::{
    Balance, Contradiction, OverheadClass, Reason, RegionOverheads, RunOverheads,
};

use super::grid::Grid;
use super::printable::printable;
use super::profile::UNDEFINED;
use crate::words;

/// The runs side by side, the parts of their overheads and what is unidentified. Of a single run also its regions and its
/// balance; of several the overhead and the imbalance of each region side by side.
pub fn overheads(document: &Overheads, width: Option<u16>) -> String {
    let head = format!("over the sequential run {}\n", printable(&document.sequential));
    let mut tables = vec![summary(document, width), parts(document, width)];
    if let [run] = &document.experiments[..] {
        tables.extend([regions(run, width), balance(&run.balance, width)]);
    } else {
        tables.extend([overheads_of_regions(document, width), imbalances(document, width)]);
    }
    tables.push(unidentified(&document.experiments));
    tables.extend(document.contradictions.as_deref().map(|found| contradictions(found, width)));
    let tables = tables.into_iter().filter(|table| !table.is_empty());
    std::iter::once(head).chain(tables).collect::<Vec<_>>().join("\n")
}

/// Seconds, if they are known.
fn seconds(value: Option<f64>) -> String {
    value.map_or_else(|| UNDEFINED.to_owned(), |seconds| format!("{seconds:.6}"))
}

/// Headings of the columns of overheads.
const COLUMNS: [&str; 10] = [
    "seconds",
    "speed-up",
    "movement",
    "synchronisation",
    "control",
    "additional",
    "loss",
    "identified",
    "unidentified",
    "overhead",
];

/// Cells of the columns.
fn cells(of: &RegionOverheads) -> Vec<String> {
    let speed_up = of.speed_up.map_or_else(|| UNDEFINED.to_owned(), |ratio| format!("{ratio:.3}"));
    let class = |class: OverheadClass| seconds(of.classes.get(&class).copied());
    let sums = [of.identified, of.unidentified, of.overhead].map(seconds);
    [seconds(of.time), speed_up].into_iter().chain(OverheadClass::ALL.map(class)).chain(sums).collect()
}

/// A row for each run.
fn summary(document: &Overheads, width: Option<u16>) -> String {
    let header: Vec<&str> = ["units"].into_iter().chain(COLUMNS).chain(["region", "experiment"]).collect();
    let mut table = Grid::new(&header, &(0..=COLUMNS.len()).collect::<Vec<_>>(), width);
    for run in &document.experiments {
        let names = [run.program.region.clone(), run.id.clone()];
        table.row(std::iter::once(run.units.to_string()).chain(cells(&run.program)).chain(names));
    }
    table.text()
}

/// A row for each part that any run has, and a column for each run.
fn parts(document: &Overheads, width: Option<u16>) -> String {
    let runs = &document.experiments;
    let mut names: Vec<&String> = runs.iter().flat_map(|run| run.program.parts.keys()).collect();
    names.sort_unstable();
    names.dedup();
    let sizes: Vec<String> = runs.iter().map(|run| words::size(run.ranks, run.threads)).collect();
    let header: Vec<&str> = sizes.iter().map(String::as_str).chain(["part"]).collect();
    let mut table = Grid::new(&header, &(0..runs.len()).collect::<Vec<_>>(), width);
    let cell = |run: &RunOverheads, name: &String| {
        let sign = if run.program.estimated.contains(name) { "~" } else { "" };
        let of_part = run.program.parts.get(name).map(|of| format!("{sign}{of:.6}"));
        of_part.unwrap_or_else(|| "0.000000".to_owned())
    };
    for name in names {
        table.row(runs.iter().map(|run| cell(run, name)).chain([name.clone()]));
    }
    if table.is_empty() { String::new() } else { table.text() }
}

/// A row for each region.
fn regions(run: &RunOverheads, width: Option<u16>) -> String {
    let header: Vec<&str> = COLUMNS.into_iter().chain(["region"]).collect();
    let mut table = Grid::new(&header, &(0..COLUMNS.len()).collect::<Vec<_>>(), width);
    for of in &run.regions {
        table.row(cells(of).into_iter().chain([of.region.clone()]));
    }
    table.text()
}

/// A row for each region that any run has, with its overhead in each run.
fn overheads_of_regions(document: &Overheads, width: Option<u16>) -> String {
    let of = |run: &RunOverheads, region: &str| {
        let of_region = run.regions.iter().find(|of| of.region == region)?;
        Some(seconds(of_region.overhead))
    };
    let names = document.experiments.iter().flat_map(|run| run.regions.iter().map(|of| of.region.as_str()));
    side_by_side(document, "overhead in", names, of, width)
}

/// A row for each region whose balance any run has, with its relative imbalance in each run.
fn imbalances(document: &Overheads, width: Option<u16>) -> String {
    let of = |run: &RunOverheads, region: &str| {
        let of_region = run.balance.iter().find(|of| of.region == region)?;
        Some(format!("{:.3}", of_region.relative))
    };
    let names = document.experiments.iter().flat_map(|run| run.balance.iter().map(|of| of.region.as_str()));
    side_by_side(document, "relative imbalance of the computation in", names, of, width)
}

/// A row for each name, once, and a column for each run.
fn side_by_side<'a>(
    document: &'a Overheads,
    what: &str,
    names: impl Iterator<Item = &'a str>,
    of: impl Fn(&RunOverheads, &str) -> Option<String>,
    width: Option<u16>,
) -> String {
    let runs = &document.experiments;
    let sizes: Vec<String> = runs.iter().map(|run| words::size(run.ranks, run.threads)).collect();
    let header: Vec<&str> = sizes.iter().map(String::as_str).chain([what]).collect();
    let mut table = Grid::new(&header, &(0..runs.len()).collect::<Vec<_>>(), width);
    let mut known = BTreeSet::new();
    for name in names.filter(|name| known.insert(*name)) {
        let cell = |run| of(run, name).unwrap_or_else(|| UNDEFINED.to_owned());
        table.row(runs.iter().map(cell).chain([name.to_owned()]));
    }
    if table.is_empty() { String::new() } else { table.text() }
}

/// A row for each region whose balance is known.
fn balance(balances: &[Balance], width: Option<u16>) -> String {
    let header = ["mean", "maximum", "imbalance", "relative", "units", "computation in"];
    let mut table = Grid::new(&header, &[0, 1, 2, 3, 4], width);
    for of in balances {
        let amounts = [of.mean, of.maximum, of.imbalance].map(|of| seconds(Some(of)));
        let rest = [format!("{:.3}", of.relative), of.units.len().to_string(), of.region.clone()];
        table.row(amounts.into_iter().chain(rest));
    }
    if table.is_empty() { String::new() } else { table.text() }
}

/// A line for each reason of a run.
fn unidentified(runs: &[RunOverheads]) -> String {
    let line = |run: &RunOverheads, reason: &Reason| {
        let amount = reason.seconds.map(|of| format!("{of:.6} s: ")).unwrap_or_default();
        format!("unidentified in {}: {amount}{}\n", printable(&run.id), reason.why)
    };
    runs.iter().flat_map(|run| run.program.reasons.iter().map(move |reason| line(run, reason))).collect()
}

/// A row for each identity that does not hold.
fn contradictions(found: &[Contradiction], width: Option<u16>) -> String {
    if found.is_empty() {
        return "All sums agree.\n".to_owned();
    }
    let mut table = Grid::new(&["left", "right", "contradiction", "region", "experiment"], &[0, 1], width);
    for Contradiction { experiment, region, identity, left, right } in found {
        table.row([&seconds(Some(*left)), &seconds(Some(*right)), identity, region, experiment]);
    }
    table.text()
}
