//! The counters in the answer of `ats profile`.

use ats_documents::profile::{Metric, Profile};
use ats_model::hardware::Counted;

use super::{ProfileOf, Row, UNDEFINED};
use crate::output::grid;

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

impl ProfileOf {
    /// The tables of what was counted in these regions or call paths and all that is inside them; nothing where nothing
    /// was.
    pub(super) fn counters_text(&self, profile: &Profile, rows: &[Row], what: &str) -> String {
        let counted = profile.counted().map(|metric| {
            let whole = self.whole(profile, metric);
            (metric.name.as_str(), rows.iter().map(|row| text(whole[row.number as usize], number)).collect())
        });
        let tables = [self.used(profile, rows), counted.collect()];
        let there = tables.iter().filter(|columns| !columns.is_empty());
        let texts: Vec<String> = there.map(|columns| format!("\n{}", table(columns, rows, what))).collect();
        if texts.is_empty() {
            String::new()
        } else {
            format!("\nWith all that is inside:\n{}", texts.concat())
        }
    }

    /// The columns of [`USED`] beside the time; none where the source has nothing of it.
    fn used(&self, profile: &Profile, rows: &[Row]) -> Vec<Column<'static>> {
        let counters = profile.counters();
        if !USED.iter().any(|(_, used, _)| counters.contains_key(used)) {
            return Vec::new();
        }
        let wall = rows.iter().map(|row| seconds(row.spent.inclusive)).collect();
        let column = |&(heading, used, shown): &Use| {
            let metrics = counters.get(&used).into_iter().flatten();
            let wholes: Vec<_> = metrics.map(|(metric, one)| (self.whole(profile, metric), one)).collect();
            let amount = |row: &Row| {
                let amounts = wholes.iter().map(|(whole, one)| Some(*one * whole[row.number as usize]?));
                amounts.reduce(|sum, amount| Some(sum? + amount?)).flatten()
            };
            (heading, rows.iter().map(|row| text(amount(row), shown)).collect())
        };
        [("wall", wall)].into_iter().chain(USED.iter().map(column)).collect()
    }

    /// Of each region or call path.
    fn whole(&self, profile: &Profile, metric: &Metric) -> Vec<Option<f64>> {
        let is_meant = |unit| self.is_meant(unit);
        if self.tree {
            profile.whole_of_paths(metric, is_meant)
        } else {
            profile.whole_of_regions(metric, is_meant)
        }
    }
}

fn table(columns: &[Column], rows: &[Row], what: &str) -> String {
    let header: Vec<&str> = columns.iter().map(|(heading, _)| *heading).chain([what]).collect();
    let mut table = grid(&header, &(0..columns.len()).collect::<Vec<_>>());
    for (at, row) in rows.iter().enumerate() {
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
