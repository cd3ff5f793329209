//! `ats profile`.

mod counters;
mod graph;
mod summaries;

pub(crate) use summaries::table as amounts;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::ExitCode;

use ats_documents::classes::Classes;
use ats_documents::profile::{CallNode, ProcessingUnit, Profile, Spent};
use ats_documents::region_graph::Per;
use ats_documents::summaries::Spent as Amounts;
use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum};

use crate::cubex::{self, CubexArgs};
use crate::failure::Failure;
use crate::number::whole;
use crate::output::{Output, grid, remark};

use graph::Form;

/// Show the time spent in each region of a trace or report.
///
/// Reports of other tools are read as far as they go: a tool that counts no visits has none here. Counters follow below
/// the table.
///
/// The JSON document and the Cube report have all call paths, locations and metrics, including waits and messages,
/// whatever the table shows.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  ats profile trace/traces.otf2
  ats profile trace/traces.otf2 --above 1 --sort inclusive
  ats profile trace/traces.otf2 --tree --depth 3 --rank 0
  ats profile trace/traces.otf2 --graph text --per thread --rank 0
  ats profile trace/traces.otf2 --graph dot | dot -Tsvg > graph.svg
  ats profile trace/traces.otf2 --stacks | flamegraph.pl --countname ns > flames.svg
  ats profile trace/traces.otf2 --summaries --classes classes.toml
  ats profile trace/traces.otf2 --summaries --statistics=waiting
  ats profile scorep/traces.otf2 --format json
  ats profile scorep/profile.cubex --above 1
  ats profile trace/traces.otf2 -o profile.cubex")]
pub(crate) struct ProfileOf {
    /// The archive's anchor file, DIR/traces.otf2, or its folder; a Paraver trace's .prv file; the report of a tool, as
    /// `ats score` reads them; or the folder of an experiment.
    source: PathBuf,
    /// Show call paths, each below the one that it lies in.
    #[arg(long)]
    tree: bool,
    /// Show call paths of so many regions at most.
    #[arg(long, value_name = "N", requires = "tree", value_parser = whole(1..=u32::MAX))]
    depth: Option<u32>,
    /// Show the call graph of regions: which was called inside which, how often and how long it was, and how its time
    /// is made up.
    ///
    /// The time of a region is the sum of what was called inside it; of `start`, fork, join, and what it waited before
    /// it could do what it is for; of `end`, what it waited then, in its implicit barrier, too; and of the rest.
    #[arg(long, value_name = "FORM", value_enum, conflicts_with_all = ["tree", "summaries", "output"])]
    graph: Option<Form>,
    /// Show a graph of each thread, of each process, or one of all.
    #[arg(long, value_name = "OF", default_value = Per::default().name(), requires = "graph", value_parser = graph::per())]
    per: Per,
    /// Show a line for each call path, `main;solve;MPI_Recv NANOSECONDS`, as input for flame graphs.
    #[arg(long, conflicts_with_all = ["tree", "summaries", "graph", "output"])]
    stacks: bool,
    /// Show of each region how much of its time, with all that is inside it, is communication, waiting, input and
    /// output …
    ///
    /// The JSON document is then of regions and locations.
    #[arg(long, conflicts_with_all = ["tree", "output"])]
    summaries: bool,
    /// Rules in TOML that say what the time in regions is spent on: `[[region]]`, `match = "update_halo*"`, `class =
    /// "control"`, `sub = "halo"`.
    #[arg(long, value_name = "FILE", requires = "summaries")]
    classes: Option<PathBuf>,
    /// Show how the time in regions, or another amount of the summaries, is spread over the locations that were there.
    #[arg(long, value_name = "AMOUNT", requires = "summaries", num_args = 0..=1, require_equals = true,
        default_missing_value = "time", value_parser = PossibleValuesParser::new(Amounts::AMOUNTS))]
    statistics: Option<String>,
    /// The order of rows.
    #[arg(long, value_name = "BY", value_enum, default_value_t = Sort::Time)]
    sort: Sort,
    /// Show only what takes at least this percentage, from 0 to 100, of the time, with all that is inside it.
    #[arg(long, value_name = "PERCENT", default_value_t = 0.0, value_parser = percent)]
    above: f64,
    /// Show only regions with this in their names; in the tree, also what leads to them.
    #[arg(long, value_name = "TEXT")]
    region: Option<String>,
    /// Look at this process alone.
    #[arg(long, value_name = "RANK", value_parser = whole(0..=u32::MAX))]
    rank: Option<u32>,
    /// Look at this thread of each process alone.
    #[arg(long, value_name = "THREAD", value_parser = whole(0..=u32::MAX))]
    thread: Option<u32>,
    #[command(flatten)]
    cubex: CubexArgs,
}

/// The text in place of an empty answer.
const NOTHING: &str = "Nothing of it is to be shown.\n";

/// The text in place of an amount that was not counted, which differs from 0.
const UNDEFINED: &str = "–";

/// Call paths are indented up to here.
const DEEPEST: u32 = 30;

/// The key that rows are sorted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Sort {
    /// Time in the region alone.
    Time,
    /// Time with all that is inside.
    Inclusive,
    /// Number of visits.
    Visits,
    /// The name.
    Name,
}

fn percent(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(percent) if (0.0..=100.0).contains(&percent) => Ok(percent),
        _ => Err("give a percentage from 0 to 100, such as 1 for 1 %".to_owned()),
    }
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

impl ProfileOf {
    pub(crate) fn run(&self, output: Output) -> Result<ExitCode, Failure> {
        let classes = self.classes.as_deref().map(Classes::read).transpose().map_err(Failure::input)?;
        let file = self.cubex.file(&self.source)?;
        let profile = ats_sources::profile(&self.source).map_err(Failure::input)?;
        let name = &profile.source;
        if !profile.units.iter().any(|&unit| self.is_meant(unit)) {
            return Err(Failure::Input(format!("{name}: {}", no_match(&profile))));
        }
        for warning in &profile.warnings {
            remark(&format!("warning: {name}: {warning}"));
        }
        if let Some(form) = self.graph {
            return self.graph(&profile, form, output).map(|()| ExitCode::SUCCESS);
        }
        match file {
            Some(file) => cubex::write(file, &profile, output)?,
            None if self.stacks => {
                let stacks = ats_presentation::stacks(&profile, |unit| self.is_meant(unit));
                output.as_it_is("stacks", &stacks)?;
            }
            None if self.summaries => self.summarize(&profile, &classes.unwrap_or_default(), output)?,
            None => output.document(&profile, || self.text(&profile))?,
        }
        Ok(ExitCode::SUCCESS)
    }

    fn is_meant(&self, unit: ProcessingUnit) -> bool {
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
        (format!("{}: {all:.6} s{of_it} in regions, over {units} {locations}\n\n", profile.source), all)
    }

    fn text(&self, profile: &Profile) -> String {
        let (head, all) = self.head(profile);
        let rows = if self.tree { self.paths(profile, all) } else { self.regions(profile, all) };
        if rows.is_empty() {
            return head + NOTHING;
        }
        let what = if self.tree { "call path" } else { "region" };
        let header = ["share", "seconds", "inclusive", "least", "most", "visits", "inside", what];
        let mut table = grid(&header, &[0, 1, 2, 3, 4, 5, 6]);
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
        for row in &rows {
            let spent = &row.spent;
            add(spent, [visits(spent.visits), visits(spent.visits_inside)], row.label());
        }
        for (state, spent) in profile.idle(|unit| self.is_meant(unit)) {
            if self.is_named(state.name()) && self.is_shown(&spent, all) {
                add(&spent, [UNDEFINED; 2].map(str::to_owned), state.name().to_owned());
            }
        }
        head + &table.text() + &self.counters_text(profile, &rows, what)
    }

    fn is_named(&self, name: &str) -> bool {
        self.region.as_deref().is_none_or(|text| name.contains(text))
    }

    fn is_shown(&self, spent: &Spent, all: f64) -> bool {
        (spent.visits > 0 || spent.inclusive > 0.0) && share(spent.inclusive, all) >= self.above
    }

    fn regions(&self, profile: &Profile, all: f64) -> Vec<Row> {
        let spent = profile.by_region(|unit| self.is_meant(unit));
        let rows = profile.regions.iter().zip(spent).map(|(region, spent)| Row {
            number: region.id,
            depth: 0,
            name: region.label(),
            spent,
        });
        let mut rows: Vec<Row> =
            rows.filter(|row| self.is_named(&row.name) && self.is_shown(&row.spent, all)).collect();
        self.sort(&mut rows);
        rows
    }

    fn sort(&self, rows: &mut [Row]) {
        rows.sort_by(|one, other| {
            let (a, b) = (&one.spent, &other.spent);
            let order = match self.sort {
                Sort::Time => b.exclusive.total_cmp(&a.exclusive),
                Sort::Inclusive => b.inclusive.total_cmp(&a.inclusive),
                Sort::Visits => b.visits.cmp(&a.visits),
                Sort::Name => std::cmp::Ordering::Equal,
            };
            order.then_with(|| one.name.cmp(&other.name))
        });
    }

    /// Call paths, each indented below its parent.
    fn paths(&self, profile: &Profile, all: f64) -> Vec<Row> {
        let spent = profile.by_path(|unit| self.is_meant(unit));
        let name = |node: &CallNode| profile.regions[node.region as usize].label();
        let mut leads_to_named = vec![false; spent.len()];
        for node in profile.call_tree.iter().filter(|node| self.is_named(&name(node))) {
            profile.ancestors(node.id).for_each(|outer| leads_to_named[outer.id as usize] = true);
        }
        // By parent, of which the outermost have none.
        let mut below: Vec<Vec<Row>> = Vec::new();
        below.resize_with(spent.len() + 1, Vec::new);
        for (node, &spent) in profile.call_tree.iter().zip(&spent) {
            if leads_to_named[node.id as usize] && self.is_shown(&spent, all) {
                let row = Row { number: node.id, depth: 0, name: name(node), spent };
                below[node.parent.map_or(0, |parent| parent as usize + 1)].push(row);
            }
        }
        for rows in &mut below {
            self.sort(rows);
            rows.reverse();
        }
        let mut shown = Vec::new();
        let mut next = std::mem::take(&mut below[0]);
        while let Some(row) = next.pop() {
            let depth = row.depth + 1;
            if self.depth.is_none_or(|most| depth < most) {
                let inside = std::mem::take(&mut below[row.number as usize + 1]);
                next.extend(inside.into_iter().map(|inner| Row { depth, ..inner }));
            }
            shown.push(row);
        }
        shown
    }
}

/// Why no location matches, and which there are.
fn no_match(profile: &Profile) -> String {
    if profile.units.is_empty() {
        return "there are no locations, so there is nothing to show; check how it was written".to_owned();
    }
    let (ranks, threads) = (known(profile, |unit| unit.rank), known(profile, |unit| unit.thread));
    format!("no location matches; choose from ranks {ranks} and threads {threads}")
}

/// The numbers of what is there, each once: `0, 1, 3`, or `0 to 7` of many.
fn known(profile: &Profile, number: impl Fn(&ProcessingUnit) -> u32) -> String {
    let numbers: BTreeSet<u32> = profile.units.iter().map(number).collect();
    match (numbers.first(), numbers.last()) {
        (Some(first), Some(last)) if numbers.len() > 4 => format!("{first} to {last}"),
        _ => numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(", "),
    }
}

fn counted(count: Option<u64>) -> String {
    count.map_or_else(|| UNDEFINED.to_owned(), |count| count.to_string())
}

fn share(seconds: f64, all: f64) -> f64 {
    if all > 0.0 { 100.0 * seconds / all } else { 0.0 }
}
