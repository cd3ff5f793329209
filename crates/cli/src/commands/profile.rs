//! `ats profile`.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::ExitCode;

use ats_documents::classes::Classes;
use ats_documents::profile::{ProcessingUnit, Profile};
use ats_documents::region_graph::Per;
use ats_documents::summaries::Spent as Amounts;
use ats_model::derived::{Misses, Penalty};
use ats_presentation::text::{Order, View};
use ats_props::{ParameterType, Seconds};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};

use crate::failure::Failure;
use crate::options::number::whole;
use crate::options::share::{SMALL, share};
use crate::output::cubex::{self, CubexArgs};
use crate::output::{Format, Output, remark, width};

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
  ats profile trace/traces.otf2 --above 0.01 --sort inclusive
  ats profile trace/traces.otf2 --tree --depth 3 --rank 0
  ats profile trace/traces.otf2 --graph text --per thread --rank 0
  ats profile trace/traces.otf2 --graph dot | dot -Tsvg > graph.svg
  ats profile trace/traces.otf2 --stacks | flamegraph.pl --countname ns > flames.svg
  ats profile trace/traces.otf2 --penalty L1=4ns,LLC=80ns
  ats profile trace/traces.otf2 --summaries --classes classes.toml
  ats profile trace/traces.otf2 --summaries --statistics=waiting
  ats profile scorep/traces.otf2 --format json
  ats profile scorep/profile.cubex --above 0.01
  ats profile trace/traces.otf2 -o profile.cubex")]
pub(crate) struct ProfileOf {
    /// The archive's anchor file, DIR/traces.otf2, or its folder; a Paraver trace's .prv file; the report of a tool, as
    /// `ats score` reads them; or the folder of an experiment.
    source: PathBuf,
    /// Show call paths, each below the one that it lies in.
    #[arg(long)]
    tree: bool,
    /// Show call paths of so many regions at most, each below the one that it lies in.
    #[arg(long, value_name = "N", conflicts_with_all = ["summaries", "graph", "stacks", "output"], value_parser = whole(1..=u32::MAX))]
    depth: Option<u32>,
    /// Show the call graph of regions: which was called inside which, how often and how long it was, and how its time
    /// is made up.
    ///
    /// The time of a region is the sum of what was called inside it; of `start`, fork, join, and what it waited before
    /// it could do what it is for; of `end`, what it waited then, in its implicit barrier, too; and of the rest.
    #[arg(long, value_name = "FORM", value_enum, conflicts_with_all = ["tree", "summaries", "output"])]
    graph: Option<Form>,
    /// Show a graph of each thread, of each process, or one of all.
    #[arg(long, value_name = "OF", default_value = Per::default().name(), requires = "graph", value_parser = per())]
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
    #[arg(long, value_name = "AMOUNT", conflicts_with_all = ["tree", "depth", "graph", "stacks", "output"], num_args = 0..=1, require_equals = true,
        default_missing_value = "time", value_parser = PossibleValuesParser::new(Amounts::AMOUNTS))]
    statistics: Option<String>,
    /// The order of rows.
    #[arg(long, value_name = "BY", value_enum, default_value_t = Sort::Time)]
    sort: Sort,
    /// Show only what takes at least this share of the time, from 0 to 1, with all that is inside it [default: 0.001 of
    /// regions and call paths, else 0].
    #[arg(long, value_name = "SHARE", value_parser = share)]
    above: Option<f64>,
    /// Show only regions with this in their names; in the tree, also what leads to them.
    #[arg(long, value_name = "TEXT")]
    region: Option<String>,
    /// Add what misses cost, as the seconds of one, to the counters: L1=4ns,LLC=80ns. Kinds of misses are L1, L2, L3, LLC (the
    /// last cache), TLB and branch; they have to be counted.
    #[arg(long, value_name = "KIND=TIME,…", value_delimiter = ',', value_parser = penalty)]
    penalty: Vec<Penalty>,
    /// Look at this process alone.
    #[arg(long, value_name = "RANK", value_parser = whole(0..=u32::MAX))]
    rank: Option<u32>,
    /// Look at this thread of each process alone.
    #[arg(long, value_name = "THREAD", value_parser = whole(0..=u32::MAX))]
    thread: Option<u32>,
    #[command(flatten)]
    cubex: CubexArgs,
}

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

impl From<Sort> for Order {
    fn from(sort: Sort) -> Self {
        match sort {
            Sort::Time => Order::Time,
            Sort::Inclusive => Order::Inclusive,
            Sort::Visits => Order::Visits,
            Sort::Name => Order::Name,
        }
    }
}

/// In what form a graph is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Form {
    /// A table of each graph, in which the edges of a region stand below it.
    Text,
    /// The input of Graphviz.
    Dot,
    /// The document `ats-region-graph/1`.
    Json,
}

/// The cost of a miss, as `L1=4ns`.
fn penalty(text: &str) -> Result<Penalty, String> {
    let form = || format!("`{text}` is no penalty; write KIND=TIME, as L1=4ns");
    let (kind, time) = text.split_once('=').ok_or_else(form)?;
    Ok(Penalty { of: Misses::named(kind)?, seconds: Seconds::parse(time)?.0 })
}

/// The kinds of units that graphs may be of, by name.
fn per() -> impl TypedValueParser<Value = Per> {
    let per = |name: String| Per::ALL.into_iter().find(|per| per.name() == name).unwrap_or_default();
    PossibleValuesParser::new(Per::ALL.map(Per::name)).map(per)
}

impl ProfileOf {
    pub(crate) fn run(&self, output: Output) -> Result<ExitCode, Failure> {
        let classes = self.classes.as_deref().map(Classes::read).transpose().map_err(Failure::input)?;
        let file = self.cubex.file(&self.source)?;
        let mut profile = ats_reports::source::profile(&self.source).map_err(Failure::input)?;
        let costs = profile.add_costs(&self.penalty);
        let name = &profile.source;
        costs.map_err(|failure| Failure::Input(format!("{name}: {failure}")))?;
        let view = self.view();
        if !profile.units.iter().any(|&unit| view.is_meant(unit)) {
            return Err(Failure::Input(format!("{name}: {}", no_match(&profile))));
        }
        for warning in &profile.warnings {
            remark(&format!("warning: {name}: {warning}"));
        }
        match (self.graph, file) {
            (Some(form), _) => self.graph(&profile, form, output)?,
            (None, Some(file)) => cubex::write(file, &profile, output)?,
            (None, None) if self.stacks => {
                let stacks = ats_presentation::stacks(&profile, |unit| view.is_meant(unit));
                output.as_it_is("stacks", &stacks)?;
            }
            (None, None) if self.summaries || self.statistics.is_some() => {
                self.summarize(&profile, &classes.unwrap_or_default(), output)?
            }
            (None, None) if self.tree || self.depth.is_some() => {
                output.document(&profile, || view.call_paths(&profile, self.depth))?
            }
            (None, None) => output.document(&profile, || view.regions(&profile))?,
        }
        // Values that stay in a large file are read while they are shown.
        let failed = |failure: &str| Failure::Input(format!("{name}: {failure}"));
        profile.failure().map_or(Ok(ExitCode::SUCCESS), |failure| Err(failed(failure)))
    }

    fn graph(&self, profile: &Profile, form: Form, output: Output) -> Result<(), Failure> {
        let view = self.view();
        let graphs = view.graphs(profile, self.per);
        match form {
            Form::Dot => output.as_it_is("a graph for Graphviz", &ats_presentation::dot(&graphs)),
            Form::Json => Output { format: Format::Json, ..output }.document(&graphs, String::new),
            Form::Text => output.document(&graphs, || view.tables_of_graphs(profile, &graphs)),
        }
    }

    fn summarize(&self, profile: &Profile, classes: &Classes, output: Output) -> Result<(), Failure> {
        let view = self.view();
        // A document has all, whatever is looked at.
        let is_json = output.format == Format::Json;
        let summaries = profile.summaries(classes, |unit| is_json || view.is_meant(unit));
        let statistics = self.statistics.as_deref();
        output.document(&summaries, || view.summaries(profile, classes, &summaries, statistics))
    }

    /// The part of the profile that the options select.
    fn view(&self) -> View<'_> {
        let is_table = self.graph.is_none() && !self.summaries && self.statistics.is_none();
        View {
            rank: self.rank,
            thread: self.thread,
            region: self.region.as_deref(),
            above: self.above.unwrap_or(if is_table { SMALL } else { 0.0 }),
            order: self.sort.into(),
            width: width(),
        }
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
