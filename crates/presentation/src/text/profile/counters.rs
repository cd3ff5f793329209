//! The counters below the table of a profile.

use ats_documents::profile::Profile;
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
    let tables = [used(profile, shown), counted.collect()];
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
