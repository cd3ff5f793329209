//! The counters below the table of a profile.

use std::collections::BTreeMap;

use ats_documents::profile::Profile;
use ats_model::derived::{DERIVED, Derived, Quotient};
use ats_model::hardware::Counted;

use super::{Row, Rows, UNDEFINED};
use crate::text::grid::Grid;

/// A heading, what is counted, and how it is written.
type Use = (&'static str, Counted, fn(f64) -> String);

/// The resources of the machine that a process used.
const USED: [Use; 6] = [
    ("user", Counted::User, seconds),
    ("system", Counted::System, seconds),
    ("faults", Counted::PageFaults, number),
    ("with I/O", Counted::MajorFaults, number),
    ("without", Counted::MinorFaults, number),
    ("swaps", Counted::Swaps, number),
];

/// A column's heading, and what is in it of each row.
type Column<'a> = (&'a str, Vec<String>);

/// The tables of what was counted in these regions or call paths and all that is inside them; nothing where nothing was.
pub(super) fn tables(profile: &Profile, shown: &Rows<'_>, width: Option<u16>) -> String {
    let counted = profile.counted().map(|metric| {
        let whole = (shown.whole)(metric);
        let texts = shown.rows.iter().map(|row| text(whole[row.number as usize], number));
        (metric.name.as_str(), texts.collect())
    });
    let tables = [used(profile, shown), derived(profile, shown), counted.collect()];
    let there = tables.iter().filter(|columns| !columns.is_empty());
    let texts: Vec<String> = there.map(|columns| format!("\n{}", table(columns, shown, width))).collect();
    if texts.is_empty() { String::new() } else { format!("\nWith all that is inside:\n{}", texts.concat()) }
}

/// The columns of [`USED`] beside the time; none where the source has nothing of it.
fn used(profile: &Profile, shown: &Rows<'_>) -> Vec<Column<'static>> {
    let counters = profile.counters();
    if !USED.iter().any(|(_, used, _)| counters.contains_key(used)) {
        return Vec::new();
    }
    let rows = &shown.rows;
    let wall = rows.iter().map(|row| seconds(row.spent.inclusive)).collect();
    let column = |&(heading, used, in_words): &Use| {
        let metrics = counters.get(&used).into_iter().flatten();
        let wholes: Vec<_> = metrics.map(|(metric, one)| ((shown.whole)(metric), one)).collect();
        let amount = |row: &Row| {
            let amounts = wholes.iter().map(|(whole, one)| Some(*one * whole[row.number as usize]?));
            amounts.reduce(|sum, amount| Some(sum? + amount?)).flatten()
        };
        (heading, rows.iter().map(|row| text(amount(row), in_words)).collect())
    };
    [("wall", wall)].into_iter().chain(USED.iter().map(column)).collect()
}

/// The columns of what follows from counters that the source has.
fn derived(profile: &Profile, shown: &Rows<'_>) -> Vec<Column<'static>> {
    let amounts = |name: &str| -> Option<Vec<Option<f64>>> {
        if name == Profile::TIME {
            return Some(shown.rows.iter().map(|row| Some(row.spent.inclusive)).collect());
        }
        let counting = profile.counting(name)?;
        let wholes: Vec<_> = counting.iter().map(|(metric, one)| ((shown.whole)(metric), *one)).collect();
        let sum = |row: &Row| wholes.iter().map(|(whole, one)| Some(one * whole[row.number as usize]?)).sum();
        Some(shown.rows.iter().map(sum).collect())
    };
    let column = |derived: &Derived| {
        let names = derived.quotients.iter().flat_map(|quotient| quotient.of.iter().chain(quotient.over));
        let counted: BTreeMap<&str, _> = names.filter_map(|&name| Some((name, amounts(name)?))).collect();
        let is_there = |quotient: &Quotient| {
            quotient.of.iter().chain(quotient.over).all(|name| counted.contains_key(name))
        };
        derived.quotients.iter().any(is_there).then(|| {
            let value = |at: usize| derived.value(|name| counted.get(name).and_then(|rows| rows[at]));
            let in_words = |value: f64| match derived.unit {
                "1" => format!("{value:.4}"),
                _ => format!("{value:.0}"),
            };
            (derived.heading, (0..shown.rows.len()).map(|at| text(value(at), in_words)).collect())
        })
    };
    DERIVED.iter().filter_map(column).collect()
}

fn table(columns: &[Column], shown: &Rows<'_>, width: Option<u16>) -> String {
    let header: Vec<&str> = columns.iter().map(|(heading, _)| *heading).chain([shown.what]).collect();
    let mut table = Grid::new(&header, &(0..columns.len()).collect::<Vec<_>>(), width);
    for (at, row) in shown.rows.iter().enumerate() {
        table.row(columns.iter().map(|(_, texts)| texts[at].clone()).chain([row.label()]));
    }
    table.text()
}

fn text(amount: Option<f64>, shown: impl Fn(f64) -> String) -> String {
    amount.map_or_else(|| UNDEFINED.to_owned(), shown)
}

fn seconds(seconds: f64) -> String {
    format!("{seconds:.6}")
}

fn number(number: f64) -> String {
    if number.fract() == 0.0 { format!("{number:.0}") } else { format!("{number:.6}") }
}
