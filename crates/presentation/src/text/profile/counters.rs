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

/// A heading, and pairs of metrics, by the names of perf and PAPI, whose quotient is shown: that of the first pair that is
/// there. Both count the same kind of access; a share of all accesses in loads alone would be none.
type Quotient = (&'static str, &'static [[&'static str; 2]]);

/// The use that a program makes of the processor.
const QUOTIENTS: [Quotient; 7] = [
    ("instructions per cycle", &[["instructions", "cycles"], ["PAPI_TOT_INS", "PAPI_TOT_CYC"]]),
    (
        "branches missed",
        &[
            ["branch-misses", "branches"],
            ["branch-misses", "branch-instructions"],
            ["PAPI_BR_MSP", "PAPI_BR_CN"],
        ],
    ),
    ("L1 missed", &[["L1-dcache-load-misses", "L1-dcache-loads"], ["PAPI_L1_DCM", "PAPI_L1_DCA"]]),
    ("L2 missed", &[["PAPI_L2_TCM", "PAPI_L2_TCA"], ["PAPI_L2_DCM", "PAPI_L2_DCA"]]),
    ("L3 missed", &[["PAPI_L3_TCM", "PAPI_L3_TCA"], ["PAPI_L3_DCM", "PAPI_L3_DCA"]]),
    ("last cache missed", &[["LLC-load-misses", "LLC-loads"], ["cache-misses", "cache-references"]]),
    ("TLB missed", &[["dTLB-load-misses", "dTLB-loads"]]),
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
    let tables = [used(profile, shown), quotients(profile, shown), counted.collect()];
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

/// The columns of [`QUOTIENTS`] that the source has both metrics of.
fn quotients(profile: &Profile, shown: &Rows<'_>) -> Vec<Column<'static>> {
    let find = |name: &str| profile.metrics.iter().find(|metric| metric.name == name);
    let column = |&(heading, pairs): &Quotient| {
        let [part, whole] =
            pairs.iter().find_map(|[part, whole]| Some([find(part)?, find(whole)?].map(shown.whole)))?;
        let quotient = |row: &Row| {
            let [part, whole] = [&part, &whole].map(|of_all| of_all[row.number as usize]);
            whole.filter(|&whole| whole > 0.0).and_then(|whole| Some(part? / whole))
        };
        let in_words = |quotient: f64| format!("{quotient:.4}");
        Some((heading, shown.rows.iter().map(|row| text(quotient(row), in_words)).collect()))
    };
    QUOTIENTS.iter().filter_map(column).collect()
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
