//! Summaries of regions as text.

use std::cmp::Ordering;

use ats_documents::classes::Classes;
use ats_documents::summaries::{Spent, Statistics};
use ats_documents::{Profile, Summaries};

use super::{NOTHING, Order, View};
use crate::text::grid::Grid;

/// A column's heading, and its seconds.
type Column = (&'static str, fn(&Spent) -> Option<f64>);

/// The columns of a region.
const COLUMNS: [Column; 7] = [
    ("seconds", |spent| spent.time),
    ("communication", |spent| spent.communication),
    ("receive", |spent| spent.receive),
    ("synchronisation", |spent| spent.synchronisation),
    ("waiting", |spent| spent.waiting),
    ("control", |spent| spent.control),
    ("io", |spent| spent.io),
];

impl View<'_> {
    /// A row for each region of the `summaries` of a profile by these classes; with the name of an amount, how that is
    /// spread over the locations.
    pub fn summaries(
        &self,
        profile: &Profile,
        classes: &Classes,
        summaries: &Summaries,
        statistics: Option<&str>,
    ) -> String {
        let (head, all) = self.head(profile);
        let mut rows = Summaries::over_units(&summaries.summaries);
        rows.retain(|(region, _)| self.is_named(region));
        self.select(&mut rows, all);
        if rows.is_empty() {
            return head + NOTHING;
        }
        if let Some(amount) = statistics {
            return head + &spread(&rows, &summaries.statistics, amount, self.width);
        }
        let own = classes.own();
        let mut groups = Summaries::over_units(&summaries.groups);
        groups.retain(|_| self.region.is_none());
        self.select(&mut groups, all);
        let head = head + &table(&rows, "region", &own, self.width);
        if groups.is_empty() {
            head
        } else {
            head + "\n" + &table(&groups, "MPI and OpenMP", &own, self.width)
        }
    }

    /// Leaves those that are large enough, in the order that is asked for.
    fn select(&self, rows: &mut Vec<(&str, Spent)>, all: f64) {
        rows.retain(|(_, spent)| spent.time.unwrap_or_default() >= self.above * all);
        let most_first =
            |a: Option<f64>, b: Option<f64>| b.unwrap_or_default().total_cmp(&a.unwrap_or_default());
        rows.sort_by(|(one, a), (other, b)| {
            let order = match self.order {
                Order::Time | Order::Inclusive => most_first(a.time, b.time),
                Order::Visits => most_first(a.visits, b.visits),
                Order::Name => Ordering::Equal,
            };
            order.then_with(|| one.cmp(other))
        });
    }
}

/// A row for each, with a column for each part that is the user's own.
pub(in crate::text) fn table(
    rows: &[(&str, Spent)],
    what: &str,
    own: &[String],
    width: Option<u16>,
) -> String {
    let names = COLUMNS.iter().map(|(name, _)| *name).chain(own.iter().map(String::as_str));
    let header: Vec<&str> = names.chain([what]).collect();
    let mut table = Grid::new(&header, &(0..header.len() - 1).collect::<Vec<_>>(), width);
    for (name, spent) in rows {
        let part = |sub: &String| spent.time.and(Some(spent.subs.get(sub).copied().unwrap_or_default()));
        let amounts = COLUMNS.iter().map(|(_, of)| of(spent)).chain(own.iter().map(part));
        let texts =
            amounts.map(|seconds| seconds.map_or_else(|| "-".to_owned(), |seconds| format!("{seconds:.6}")));
        table.row(texts.chain([(*name).to_owned()]));
    }
    table.text()
}

/// The distribution of an amount over the units, a row for each region.
fn spread(rows: &[(&str, Spent)], statistics: &[Statistics], amount: &str, width: Option<u16>) -> String {
    let header = ["minimum", "median", "mean", "maximum", "deviation", "units", "region"];
    let mut table = Grid::new(&header, &[0, 1, 2, 3, 4, 5], width);
    for (region, _) in rows {
        let is_it = |of: &&Statistics| of.region == *region && of.amount == amount;
        let Some(of) = statistics.iter().find(is_it) else { continue };
        let numbers =
            [of.minimum, of.median, of.mean, of.maximum, of.deviation].map(|number| format!("{number:.6}"));
        table.row(numbers.into_iter().chain([of.units.to_string(), (*region).to_owned()]));
    }
    if table.is_empty() { format!("The trace has no data of {amount}.\n") } else { table.text() }
}
