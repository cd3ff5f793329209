//! Graph of regions called inside other regions: the document `ats-region-graph/1`.

mod of_profile;

use serde::{Deserialize, Serialize};

use crate::profile::ProfiledRegion;
use ats_model::named;

/// `ats-region-graph/1`: the dynamic code region call graph of SCALEA (Truong and Fahringer 2002, section 4.4) of each thread or
/// process, or of the program.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RegionGraphs {
    /// The schema's name, `ats-region-graph/1`.
    pub schema: String,
    /// The trace or report, as it was named.
    pub source: String,
    /// The scope of each graph.
    pub per: Per,
    /// The regions that nodes are of; not each was executed.
    pub regions: Vec<ProfiledRegion>,
    /// By rank and thread.
    pub graphs: Vec<RegionGraph>,
    /// Parts that could not be analyzed, with the reasons, in words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

named! {
    /// The scope of a graph.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
    pub enum Per {
        /// A thread of a process.
        Thread = "thread",
        /// A process with all its threads.
        Process = "process",
        /// All processes.
        #[default]
        Program = "program",
    }
}

/// The graph of a thread, a process or the program: seconds are added up over its threads.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RegionGraph {
    /// Its process; null for the program.
    pub rank: Option<u32>,
    /// Its thread; null for a process or the program.
    pub thread: Option<u32>,
    /// The regions that were executed, by number.
    pub nodes: Vec<GraphNode>,
    /// The calls inside other regions, by the numbers of the regions.
    pub edges: Vec<GraphEdge>,
}

/// A region that was executed: `time` is the sum of `start`, `children`, `end` and `rest`. All of them are of its outermost
/// visits, where it was called inside itself.
///
/// A construct of OpenMP is one region: the implicit barrier at its end is its `end`, and the body of a critical, an ordered or a
/// single is its `rest`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GraphNode {
    /// An index into `regions`.
    pub region: u32,
    /// The number of calls; null if they were not counted.
    pub calls: Option<u64>,
    /// Seconds in it and all that was called inside it.
    pub time: f64,
    /// Seconds before it could do its work: those of a fork (and of the join, if the source does not tell them apart),
    /// until a lock or its turn came, or until others came to a call or barrier.
    pub start: f64,
    /// Seconds in the regions called inside it.
    pub children: f64,
    /// Seconds when that was done: in the implicit barrier at its end, in the join, and until others were done, too.
    pub end: f64,
    /// Other seconds: its own work.
    pub rest: f64,
}

/// A region was called inside another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GraphEdge {
    /// The outer region: an index into `regions`.
    pub from: u32,
    /// The inner region: an index into `regions`.
    pub to: u32,
    /// The number of calls; null if they were not counted.
    pub calls: Option<u64>,
    /// Seconds, with all that was called inside, of those calls that the outermost visits of `from` made: all edges
    /// from a node add up to its `children`.
    pub time: f64,
}

impl RegionGraphs {
    /// The value of [`RegionGraphs::schema`].
    pub const SCHEMA: &str = "ats-region-graph/1";

    /// The [label](ProfiledRegion::label) of a node.
    pub fn label(&self, region: u32) -> String {
        self.regions[region as usize].label()
    }

    /// Forgets all other nodes, and the edges that they have.
    pub fn retain(&mut self, keep: impl Fn(&ProfiledRegion, &GraphNode) -> bool) {
        for graph in &mut self.graphs {
            graph.nodes.retain(|node| keep(&self.regions[node.region as usize], node));
            let is_left = |region| graph.nodes.binary_search_by_key(&region, |node| node.region).is_ok();
            graph.edges.retain(|edge| is_left(edge.from) && is_left(edge.to));
        }
    }
}

#[cfg(test)]
mod tests;
