//! Call graphs of regions as text.

use ats_documents::RegionGraphs;
use ats_documents::profile::Profile;
use ats_documents::region_graph::{GraphEdge, GraphNode, Per, RegionGraph};

use super::{NOTHING, Order, View, counted, region};
use crate::text::grid::Grid;

impl View<'_> {
    /// The call graphs of regions that are shown.
    pub fn graphs(&self, profile: &Profile, per: Per) -> RegionGraphs {
        let (_, all) = self.head(profile);
        let mut graphs = profile.region_graphs(per, |unit| self.is_meant(unit));
        graphs.retain(|region, node| self.is_named(&region.label()) && node.time >= self.above * all);
        graphs
    }

    /// A table of each of the `graphs`: the edges of a region stand below it.
    pub fn tables_of_graphs(&self, profile: &Profile, graphs: &RegionGraphs) -> String {
        let (head, _) = self.head(profile);
        let shown = graphs.graphs.iter().filter(|graph| !graph.nodes.is_empty());
        let texts: Vec<String> = shown.map(|graph| title(graph) + &self.graph_text(graphs, graph)).collect();
        head + &if texts.is_empty() { NOTHING.to_owned() } else { texts.join("\n") }
    }

    fn graph_text(&self, graphs: &RegionGraphs, graph: &RegionGraph) -> String {
        let name = |of: u32| region(&graphs.regions[of as usize]);
        let header = ["calls", "seconds", "start", "children", "end", "rest", "region"];
        let mut table = Grid::new(&header, &[0, 1, 2, 3, 4, 5], self.width);
        let mut nodes: Vec<&GraphNode> = graph.nodes.iter().collect();
        nodes.sort_by(|a, b| {
            let order = match self.order {
                Order::Time => (b.time - b.children).total_cmp(&(a.time - a.children)),
                Order::Inclusive => b.time.total_cmp(&a.time),
                Order::Visits => b.calls.cmp(&a.calls),
                Order::Name => std::cmp::Ordering::Equal,
            };
            order.then_with(|| graphs.label(a.region).cmp(&graphs.label(b.region)))
        });
        for &GraphNode { region, calls, time, start, children, end, rest } in nodes {
            let seconds = [time, start, children, end, rest].map(|seconds| format!("{seconds:.6}"));
            table.row([counted(calls)].into_iter().chain(seconds).chain([name(region)]));
            // They are in order.
            let [begin, end] =
                [region, region + 1].map(|from| graph.edges.partition_point(|edge| edge.from < from));
            for &GraphEdge { to, calls, time, .. } in &graph.edges[begin..end] {
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
