//! `ats profile --graph`.

use ats_documents::RegionGraphs;
use ats_documents::profile::Profile;
use ats_documents::region_graph::{GraphEdge, GraphNode, Per, RegionGraph};
use clap::ValueEnum;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::{NOTHING, ProfileOf, Sort, counted, share};
use crate::failure::Failure;
use crate::output::{Format, Output, grid};

/// In what form a graph is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Form {
    /// A table of each graph, in which the edges of a region stand below it.
    Text,
    /// The input of Graphviz.
    Dot,
    /// The document `ats-region-graph/1`.
    Json,
}

/// The kinds of units that graphs may be of, by name.
pub(super) fn per() -> impl TypedValueParser<Value = Per> {
    let per = |name: String| Per::ALL.into_iter().find(|per| per.name() == name).unwrap_or_default();
    PossibleValuesParser::new(Per::ALL.map(Per::name)).map(per)
}

impl ProfileOf {
    pub(super) fn graph(&self, profile: &Profile, form: Form, output: Output) -> Result<(), Failure> {
        let (head, all) = self.head(profile);
        let mut graphs = profile.region_graphs(self.per, |unit| self.is_meant(unit));
        graphs.retain(|region, node| self.is_named(&region.label()) && share(node.time, all) >= self.above);
        match form {
            Form::Dot => output.as_it_is("a graph for Graphviz", &ats_presentation::dot(&graphs)),
            Form::Json => Output { format: Format::Json, ..output }.document(&graphs, String::new),
            Form::Text => output.document(&graphs, || head + &self.graphs_text(&graphs)),
        }
    }

    fn graphs_text(&self, graphs: &RegionGraphs) -> String {
        let shown = graphs.graphs.iter().filter(|graph| !graph.nodes.is_empty());
        let texts: Vec<String> = shown.map(|graph| title(graph) + &self.graph_text(graphs, graph)).collect();
        if texts.is_empty() { NOTHING.to_owned() } else { texts.join("\n") }
    }

    fn graph_text(&self, graphs: &RegionGraphs, graph: &RegionGraph) -> String {
        let name = |region| graphs.label(region);
        let header = ["calls", "seconds", "start", "children", "end", "rest", "region"];
        let mut table = grid(&header, &[0, 1, 2, 3, 4, 5]);
        let mut nodes: Vec<&GraphNode> = graph.nodes.iter().collect();
        nodes.sort_by(|a, b| {
            let order = match self.sort {
                Sort::Time => (b.time - b.children).total_cmp(&(a.time - a.children)),
                Sort::Inclusive => b.time.total_cmp(&a.time),
                Sort::Visits => b.calls.cmp(&a.calls),
                Sort::Name => std::cmp::Ordering::Equal,
            };
            order.then_with(|| graphs.label(a.region).cmp(&graphs.label(b.region)))
        });
        for &GraphNode { region, calls, time, start, children, end, rest } in nodes {
            let seconds = [time, start, children, end, rest].map(|seconds| format!("{seconds:.6}"));
            table.row([counted(calls)].into_iter().chain(seconds).chain([name(region)]));
            for &GraphEdge { to, calls, time, .. } in graph.edges.iter().filter(|edge| edge.from == region) {
                let empty = [const { String::new() }; 4];
                let row = [counted(calls), format!("{time:.6}")].into_iter().chain(empty);
                table.row(row.chain([format!("  -> {}", name(to))]));
            }
        }
        table.text()
    }
}

/// The process or thread of a graph; empty if it is of all.
fn title(graph: &RegionGraph) -> String {
    match (graph.rank, graph.thread) {
        (Some(rank), Some(thread)) => format!("rank {rank}, thread {thread}\n"),
        (Some(rank), None) => format!("rank {rank}\n"),
        _ => String::new(),
    }
}
