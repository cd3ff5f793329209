//! Efficiencies of runs as text.

use std::collections::BTreeSet;

use ats_documents::Efficiencies;
use ats_documents::efficiencies::{Factor, RunEfficiencies, Scaling};

use super::grid::Grid;
use crate::factors::{self, Column, MARK, Mean, size};
use crate::printable::printable;

/// The tables of each group of comparable runs, with a row for each factor and a column for each size, as POP prints them:
/// first the factors that are multiplied, then those whose losses add up.
pub fn efficiencies(document: &Efficiencies, width: Option<u16>) -> String {
    if document.experiments.is_empty() {
        return "There is no such experiment.\n".to_owned();
    }
    let groups = factors::groups(document);
    let of_group = |(group, runs): &(&str, Vec<&RunEfficiencies>)| {
        let tables = tables(runs, document.scaling, width);
        if groups.len() > 1 { format!("{}\n\n{tables}", printable(group)) } else { tables }
    };
    groups.iter().map(of_group).collect::<Vec<_>>().join("\n")
}

/// The tables of comparable runs.
fn tables(runs: &[&RunEfficiencies], scaling: Scaling, width: Option<u16>) -> String {
    let scaling = match scaling {
        Scaling::Strong => "all units together",
        Scaling::Weak => "each unit",
    };
    let references: BTreeSet<(&str, u32)> =
        runs.iter().map(|run| (run.reference.as_str(), run.reference_repetitions)).collect();
    let reference = match references.first() {
        Some((only, 0 | 1)) if references.len() == 1 => printable(only).into_owned(),
        Some((first, number)) if references.len() == 1 => {
            format!("the mean of the {number} repetitions of {}", printable(first))
        }
        _ => "the sequential run of each size".to_owned(),
    };
    let head = format!("compared with {reference}, where {scaling} did the same work\n");
    let columns = Column::by_size(runs);
    let ids: String = runs.iter().map(|run| format!("{}: {}\n", size(run), printable(&run.id))).collect();
    let mark = columns.iter().any(|column| column.worst().is_some()).then(|| format!("*: {MARK}\n"));
    let tables = [
        head,
        facts(&columns, width),
        hierarchy("factors", &columns, |run| &run.multiplicative, width),
        mark.unwrap_or_default(),
        hierarchy("losses add up", &columns, |run| &run.additive, width),
        unknown(runs) + &above_one(runs),
        ids,
    ];
    let tables = tables.into_iter().filter(|table| !table.is_empty());
    tables.collect::<Vec<_>>().join("\n")
}

/// The mean over the runs of a column, and half of the range, in these digits and with this unit.
fn cell(
    column: &Column<'_>,
    of: impl Fn(&RunEfficiencies) -> Option<f64>,
    digits: usize,
    unit: &str,
) -> String {
    match column.mean(of) {
        None => UNKNOWN.to_owned(),
        Some(Mean { mean, runs: 1, .. }) => format!("{mean:.digits$}{unit}"),
        Some(Mean { mean, spread: [least, most], .. }) => {
            format!("{mean:.digits$} ± {:.digits$}{unit}", (most - least) / 2.0)
        }
    }
}

/// A grid with a column for each size and one of names.
fn grid(columns: &[Column<'_>], what: &str, width: Option<u16>) -> Grid {
    let header: Vec<&str> = columns.iter().map(|column| column.head.as_str()).chain([what]).collect();
    Grid::new(&header, &(0..columns.len()).collect::<Vec<_>>(), width)
}

fn facts(columns: &[Column<'_>], width: Option<u16>) -> String {
    let runs = || columns.iter().flat_map(|column| &column.runs);
    let regions: BTreeSet<&str> = runs().map(|run| run.region.as_str()).collect();
    let mut table = grid(columns, &regions.into_iter().collect::<Vec<_>>().join(", "), width);
    let mut row = |of: fn(&RunEfficiencies) -> Option<f64>, digits: usize, what: &str| {
        table.row(columns.iter().map(|column| cell(column, of, digits, "")).chain([what.to_owned()]));
    };
    row(|run| Some(run.time), 6, "seconds");
    row(|run| Some(run.useful), 6, "useful seconds of all units");
    if runs().any(|run| run.not_running.is_some()) {
        row(|run| run.not_running, 6, "seconds of all units without a processor");
    }
    if runs().any(|run| run.outside > 0.0) {
        row(|run| Some(run.outside), 6, "seconds of all units outside of the run, which do not count");
    }
    row(|run| run.speed_up, 3, "speed-up");
    table.text()
}

/// The text in place of an efficiency that is not known, and is not 1.
pub(super) const UNKNOWN: &str = "n/a";

/// A row for each factor that any run has; the worst is marked where the factors are multiplied.
fn hierarchy(
    what: &str,
    columns: &[Column<'_>],
    of: fn(&RunEfficiencies) -> &[Factor],
    width: Option<u16>,
) -> String {
    let names = factors::hierarchy(columns.iter().flat_map(|column| &column.runs).map(|run| of(run)));
    let mut table = grid(columns, what, width);
    for (depth, name) in names {
        let of_column = |column: &Column<'_>| {
            let find = |run: &RunEfficiencies| of(run).iter().position(|factor| factor.name == name);
            if !column.runs.iter().any(|run| find(run).is_some()) {
                return String::new();
            }
            let percent =
                |run: &RunEfficiencies| find(run).and_then(|at| of(run)[at].value).map(|of| 100.0 * of);
            let is_worst = column.worst() == Some(name);
            // The additive hierarchy has the parallel efficiency, too.
            let is_multiplied = column.runs.iter().all(|run| std::ptr::eq(of(run), &run.multiplicative[..]));
            let mark = if is_worst && is_multiplied { "* " } else { "" };
            format!("{mark}{}", cell(column, percent, 2, " %"))
        };
        let indent = "  ".repeat(depth as usize);
        table.row(columns.iter().map(of_column).chain([format!("{indent}{name}")]));
    }
    table.text()
}

/// A line for each reason why a factor is not known.
fn unknown(runs: &[&RunEfficiencies]) -> String {
    let factors = runs.iter().flat_map(|run| run.multiplicative.iter().chain(&run.additive));
    let reasons: BTreeSet<&str> = factors.filter_map(|factor| factor.why.as_deref()).collect();
    reasons.into_iter().map(|why| format!("{UNKNOWN}: {why}\n")).collect()
}

/// A line for each factor that is shown as more than 100 %, which says how that can be.
fn above_one(runs: &[&RunEfficiencies]) -> String {
    // Of 0.01 %, the last digit that is shown.
    const SHOWN: f64 = 1.00005;
    let is_above = |factor: &&Factor| factor.value.is_some_and(|value| value >= SHOWN);
    let factors = runs.iter().flat_map(|run| run.multiplicative.iter().chain(&run.additive));
    let names: BTreeSet<&str> = factors.filter(is_above).map(|factor| factor.name.as_str()).collect();
    let line = |name: &str| {
        let why = match name {
            "computation scalability" | "global efficiency" => "the runs compute less than the reference",
            "instruction scalability" => "the runs need fewer instructions than the reference",
            "IPC scalability" | "frequency scalability" => "the runs compute faster than the reference",
            name if name.starts_with("OpenMP") => {
                "what remains of the factor of all threads after that of MPI, which is of first threads alone"
            }
            name if name.contains("serialisation") || name.contains("transfer") => {
                "the ideal time is of another measurement than the time of the run"
            }
            _ => "the seconds were measured or reported with an error",
        };
        format!("{name} above 100 %: {why}\n")
    };
    names.into_iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_factor_above_one_says_how_that_can_be() {
        let lines = |name: &str, value| {
            let factor = Factor { name: name.to_owned(), value: Some(value), ..Factor::default() };
            above_one(&[&RunEfficiencies { multiplicative: vec![factor], ..RunEfficiencies::default() }])
        };
        let line = "OpenMP load balance above 100 %: what remains of the factor of all threads after that of MPI, which is \
                    of first threads alone\n";
        assert_eq!(lines("OpenMP load balance", 1.1308), line);
        assert_eq!(
            lines("computation scalability", 1.0001),
            "computation scalability above 100 %: the runs compute less than the reference\n"
        );
        // It is shown as 100.00 %.
        assert_eq!(lines("computation scalability", 1.00001), "");
        assert_eq!(lines("load balance", 0.5), "");
    }
}
