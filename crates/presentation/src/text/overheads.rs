//! Overheads of parallel runs as text.

use std::collections::{BTreeMap, BTreeSet};

use ats_documents::Overheads;
use ats_documents::overheads::{
    Balance, Contradiction, OverheadClass, Reason, RegionOverheads, RunOverheads,
};

use super::grid::Grid;
use super::profile::UNDEFINED;
use crate::printable::printable;
use crate::words;

/// The runs side by side, the parts of their overheads and what is unidentified. Of a single run also its regions and its
/// balance; of several the overhead and the imbalance of each region side by side.
pub fn overheads(document: &Overheads, width: Option<u16>) -> String {
    let mut groups: BTreeMap<&str, Vec<&RunOverheads>> = BTreeMap::new();
    document.experiments.iter().for_each(|run| groups.entry(&run.group).or_default().push(run));
    let is_single = groups.len() == 1;
    let of_group = |(group, runs): (&&str, &Vec<&RunOverheads>)| match is_single {
        true => tables(runs, width),
        false => format!("{}\n\n{}", printable(group), tables(runs, width)),
    };
    let mut parts: Vec<String> = groups.iter().map(of_group).collect();
    parts.extend(document.contradictions.as_deref().map(|found| contradictions(found, width)));
    parts.join("\n")
}

/// The tables of comparable runs.
fn tables(runs: &[&RunOverheads], width: Option<u16>) -> String {
    let bases: BTreeSet<(&str, u32)> =
        runs.iter().map(|run| (run.sequential.as_str(), run.sequential_units)).collect();
    let head = match bases.first() {
        Some((base, 1)) if bases.len() == 1 => format!("over the sequential run {}\n", printable(base)),
        Some((base, units)) if bases.len() == 1 => {
            let base = printable(base);
            format!("over {base}, as there is no sequential run: T_s is {units} times its time\n")
        }
        _ => "over the sequential run of each size\n".to_owned(),
    };
    let mut tables = vec![summary(runs, width), parts(runs, width)];
    if let [run] = runs {
        tables.extend([regions(run, width), balance(&run.balance, width)]);
    } else {
        tables.extend([overheads_of_regions(runs, width), imbalances(runs, width)]);
    }
    tables.extend([unidentified(runs), of_two(runs)]);
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
fn summary(runs: &[&RunOverheads], width: Option<u16>) -> String {
    let header: Vec<&str> = ["units"].into_iter().chain(COLUMNS).chain(["region", "experiment"]).collect();
    let mut table = Grid::new(&header, &(0..=COLUMNS.len()).collect::<Vec<_>>(), width);
    for run in runs {
        let names = [run.program.region.clone(), run.id.clone()];
        table.row(std::iter::once(run.units.to_string()).chain(cells(&run.program)).chain(names));
    }
    table.text()
}

/// A row for each part that any run has, and a column for each run.
fn parts(runs: &[&RunOverheads], width: Option<u16>) -> String {
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
fn overheads_of_regions(runs: &[&RunOverheads], width: Option<u16>) -> String {
    let of = |run: &RunOverheads, region: &str| {
        let of_region = run.regions.iter().find(|of| of.region == region)?;
        Some(seconds(of_region.overhead))
    };
    let names = runs.iter().flat_map(|run| run.regions.iter().map(|of| of.region.as_str()));
    side_by_side(runs, "overhead in", names, of, width)
}

/// A row for each region whose balance any run has, with its relative imbalance in each run.
fn imbalances(runs: &[&RunOverheads], width: Option<u16>) -> String {
    let of = |run: &RunOverheads, region: &str| {
        let of_region = run.balance.iter().find(|of| of.region == region)?;
        Some(format!("{:.3}", of_region.relative))
    };
    let names = runs.iter().flat_map(|run| run.balance.iter().map(|of| of.region.as_str()));
    side_by_side(runs, "relative imbalance of the computation in", names, of, width)
}

/// A row for each name, once, and a column for each run.
fn side_by_side<'a>(
    runs: &[&'a RunOverheads],
    what: &str,
    names: impl Iterator<Item = &'a str>,
    of: impl Fn(&RunOverheads, &str) -> Option<String>,
    width: Option<u16>,
) -> String {
    let sizes: Vec<String> = runs.iter().map(|run| words::size(run.ranks, run.threads)).collect();
    let header: Vec<&str> = sizes.iter().map(String::as_str).chain([what]).collect();
    let mut table = Grid::new(&header, &(0..runs.len()).collect::<Vec<_>>(), width);
    let mut known = BTreeSet::new();
    for name in names.filter(|name| known.insert(*name)) {
        let cell = |run: &&'a RunOverheads| of(run, name).unwrap_or_else(|| UNDEFINED.to_owned());
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
fn unidentified(runs: &[&RunOverheads]) -> String {
    let line = |run: &RunOverheads, reason: &Reason| {
        let amount = reason.seconds.map(|of| format!("{of:.6} s: ")).unwrap_or_default();
        format!("unidentified in {}: {amount}{}\n", printable(&run.id), reason.why)
    };
    runs.iter()
        .copied()
        .flat_map(|run| run.program.reasons.iter().map(move |reason| line(run, reason)))
        .collect()
}

/// A line for each run of two ranks whose loss may be none, or whose waits may be a loss.
fn of_two(runs: &[&RunOverheads]) -> String {
    let either = ["loss/unparallelised", "synchronisation/mpi_barrier"];
    let has_one = |run: &&&RunOverheads| either.iter().any(|&part| run.program.parts.contains_key(part));
    let of_two = runs.iter().filter(|run| run.ranks == 2 && has_one(run));
    let line = |run: &&RunOverheads| {
        format!(
            "two ranks in {}: work that one does alone and a larger share of common work look the same; at rank 0 it is \
             taken for the first, at rank 1 for the second\n",
            printable(&run.id)
        )
    };
    of_two.map(line).collect()
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
