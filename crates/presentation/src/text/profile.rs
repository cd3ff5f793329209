//! A profile as text.

mod counters;
mod functions;
mod graph;
mod summaries;

use ats_documents::profile::{CallNode, Metric, ProcessingUnit, Profile, ProfiledRegion, Spent};

use super::grid::Grid;
use crate::{machine, place, words};
pub(super) use summaries::table as amounts;

/// The part of a profile that is shown, and the order of its rows.
#[derive(Clone, Copy, Debug, Default)]
pub struct View<'a> {
    /// The process alone that is shown.
    pub rank: Option<u32>,
    /// The thread alone that is shown of each process.
    pub thread: Option<u32>,
    /// A text that the names of shown regions contain.
    pub region: Option<&'a str>,
    /// The least share of all time that a row takes with all that is inside it; those that take less are one line.
    pub above: f64,
    /// The order of rows.
    pub order: Order,
    /// The width of the tables at most, in columns of a terminal.
    pub width: Option<u16>,
}

/// The key that rows are sorted by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// Time in the region alone, the longest first.
    #[default]
    Time,
    /// Time with all that is inside, the longest first.
    Inclusive,
    /// Number of visits, the most first.
    Visits,
    /// The name.
    Name,
}

/// The text in place of an empty answer.
const NOTHING: &str = "Nothing of it is to be shown.\n";

/// The text in place of an amount that was not counted, which differs from 0.
pub(super) const UNDEFINED: &str = "–";

/// Call paths are indented up to here.
const DEEPEST: u32 = 30;

/// A region in a table.
fn region(of: &ProfiledRegion) -> String {
    place::call(&of.name, of.call_site.as_ref())
}

/// A row of the table: a region, or a call path.
struct Row {
    /// Its index.
    number: u32,
    /// In how many others it is shown.
    depth: u32,
    name: String,
    spent: Spent,
}

impl Row {
    /// Its name, as far to the right as it is deep.
    fn label(&self) -> String {
        "  ".repeat(self.depth.min(DEEPEST) as usize) + &self.name
    }
}

/// The rows of a table, and what is counted of each.
struct Rows<'a> {
    rows: Vec<Row>,
    /// The heading of their names.
    what: &'static str,
    /// The number of the row that a call path belongs to.
    number: fn(&CallNode) -> u32,
    /// Amounts of a metric with all that is inside, by the numbers of rows.
    whole: &'a dyn Fn(&Metric) -> Vec<Option<f64>>,
    /// The number of rows that are too small, and their seconds without what is inside.
    left_out: (usize, f64),
}

impl View<'_> {
    /// Whether a location is shown.
    pub fn is_meant(&self, unit: ProcessingUnit) -> bool {
        self.rank.is_none_or(|rank| rank == unit.rank)
            && self.thread.is_none_or(|thread| thread == unit.thread)
    }

    /// The headline of the answer, and all its seconds.
    fn head(&self, profile: &Profile) -> (String, f64) {
        let all = profile.total(|unit| self.is_meant(unit));
        let idle = profile.idle(|unit| self.is_meant(unit));
        let idle: f64 = idle.iter().map(|(_, spent)| spent.exclusive).sum();
        let of_it = if idle > 0.0 { format!(", {:.6} s of it", all - idle) } else { String::new() };
        let units = profile.units.iter().filter(|&&unit| self.is_meant(unit)).count();
        let locations = if units == 1 { "location" } else { "locations" };
        let machine = machine::opening(&profile.machine);
        (
            format!(
                "{machine}{}: {all:.6} s{of_it} in regions, over {units} {locations}\n\n",
                profile.source
            ),
            all,
        )
    }

    /// A row for each region.
    pub fn regions(&self, profile: &Profile) -> String {
        let (head, all) = self.head(profile);
        let (rows, left_out) = self.of_regions(profile, all);
        let whole = |metric: &Metric| profile.whole_of_regions(metric, |unit| self.is_meant(unit));
        head + &self.text(
            profile,
            all,
            &Rows { rows, what: "region", number: |node| node.region, whole: &whole, left_out },
        )
    }

    /// A row for each call path, below the one that it lies in, of at most `depth` regions.
    pub fn call_paths(&self, profile: &Profile, depth: Option<u32>) -> String {
        let (head, all) = self.head(profile);
        let (rows, left_out) = self.of_paths(profile, all, depth);
        let whole = |metric: &Metric| profile.whole_of_paths(metric, |unit| self.is_meant(unit));
        head + &self.text(
            profile,
            all,
            &Rows { rows, what: "call path", number: |node| node.id, whole: &whole, left_out },
        )
    }

    fn text(&self, profile: &Profile, all: f64, shown: &Rows<'_>) -> String {
        let Rows { rows, what, left_out: (number, seconds), .. } = shown;
        let more = words::more(*number, *seconds);
        if rows.is_empty() {
            return if more.is_empty() { NOTHING.to_owned() } else { more };
        }
        let header = ["share", "seconds", "inclusive", "least", "most", "visits", "inside", what];
        let mut table = Grid::new(&header, &[0, 1, 2, 3, 4, 5, 6], self.width);
        let has_visits = profile.values.contains_key(Profile::VISITS);
        let visits = |count: u64| counted(has_visits.then_some(count));
        let mut add = |spent: &Spent, [visits, inside]: [String; 2], label: String| {
            table.row([
                format!("{:.2} %", share(spent.exclusive, all)),
                format!("{:.6}", spent.exclusive),
                format!("{:.6}", spent.inclusive),
                format!("{:.6}", spent.least),
                format!("{:.6}", spent.most),
                visits,
                inside,
                label,
            ]);
        };
        for row in rows {
            let spent = &row.spent;
            add(spent, [visits(spent.visits), visits(spent.visits_inside)], row.label());
        }
        for (state, spent) in profile.idle(|unit| self.is_meant(unit)) {
            if self.is_named(state.name()) && is_there(&spent) && self.is_shown(&spent, all) {
                add(&spent, [UNDEFINED; 2].map(str::to_owned), state.name().to_owned());
            }
        }
        table.text()
            + &more
            + &functions::table(self, profile, shown)
            + &counters::tables(profile, shown, self.width)
    }

    fn is_named(&self, name: &str) -> bool {
        self.region.is_none_or(|text| name.contains(text))
    }

    fn is_shown(&self, spent: &Spent, all: f64) -> bool {
        spent.inclusive >= self.above * all
    }

    fn of_regions(&self, profile: &Profile, all: f64) -> (Vec<Row>, (usize, f64)) {
        let spent = profile.by_region(|unit| self.is_meant(unit));
        let named = profile
            .regions
            .iter()
            .zip(spent)
            .filter(|(region, spent)| self.is_named(&region.label()) && is_there(spent));
        let rows = named.map(|(of, spent)| Row { number: of.id, depth: 0, name: region(of), spent });
        let (mut rows, small): (Vec<Row>, Vec<Row>) = rows.partition(|row| self.is_shown(&row.spent, all));
        self.sort(&mut rows);
        (rows, left_out(small.iter().map(|row| &row.spent)))
    }

    fn sort(&self, rows: &mut [Row]) {
        rows.sort_by(|one, other| {
            let (a, b) = (&one.spent, &other.spent);
            let order = match self.order {
                Order::Time => b.exclusive.total_cmp(&a.exclusive),
                Order::Inclusive => b.inclusive.total_cmp(&a.inclusive),
                Order::Visits => b.visits.cmp(&a.visits),
                Order::Name => std::cmp::Ordering::Equal,
            };
            order.then_with(|| one.name.cmp(&other.name))
        });
    }

    /// Call paths, each indented below its parent.
    fn of_paths(&self, profile: &Profile, all: f64, most: Option<u32>) -> (Vec<Row>, (usize, f64)) {
        let spent = profile.by_path(|unit| self.is_meant(unit));
        let of = |node: &CallNode| &profile.regions[node.region as usize];
        let mut leads_to_named = vec![false; spent.len()];
        for node in profile.call_tree.iter().filter(|node| self.is_named(&of(node).label())) {
            profile.ancestors(node.id).for_each(|outer| leads_to_named[outer.id as usize] = true);
        }
        // By parent, of which the outermost have none.
        let mut below: Vec<Vec<Row>> = Vec::new();
        below.resize_with(spent.len() + 1, Vec::new);
        let mut small = Vec::new();
        for (node, spent) in profile.call_tree.iter().zip(&spent) {
            if !leads_to_named[node.id as usize] || !is_there(spent) {
                continue;
            }
            if !self.is_shown(spent, all) {
                small.push(spent);
                continue;
            }
            let row = Row { number: node.id, depth: 0, name: region(of(node)), spent: *spent };
            below[node.parent.map_or(0, |parent| parent as usize + 1)].push(row);
        }
        for rows in &mut below {
            self.sort(rows);
            rows.reverse();
        }
        let mut shown = Vec::new();
        let mut next = std::mem::take(&mut below[0]);
        while let Some(row) = next.pop() {
            let depth = row.depth + 1;
            if most.is_none_or(|most| depth < most) {
                let inside = std::mem::take(&mut below[row.number as usize + 1]);
                next.extend(inside.into_iter().map(|inner| Row { depth, ..inner }));
            }
            shown.push(row);
        }
        (shown, left_out(small.into_iter()))
    }
}

/// Whether anything was counted or measured.
fn is_there(spent: &Spent) -> bool {
    spent.visits > 0 || spent.inclusive > 0.0
}

/// The number of rows, and their seconds without what is inside.
fn left_out<'a>(small: impl ExactSizeIterator<Item = &'a Spent>) -> (usize, f64) {
    (small.len(), small.map(|spent| spent.exclusive).fold(0.0, |sum, seconds| sum + seconds))
}

fn counted(count: Option<u64>) -> String {
    count.map_or_else(|| UNDEFINED.to_owned(), |count| count.to_string())
}

fn share(seconds: f64, all: f64) -> f64 {
    if all > 0.0 { 100.0 * seconds / all } else { 0.0 }
}
