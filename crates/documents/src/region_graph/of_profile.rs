//! The graphs of a profile.

use std::collections::BTreeMap;

use super::{GraphEdge, GraphNode, Per, RegionGraph, RegionGraphs};
use crate::profile::{CallNode, Metric, ProcessingUnit, Profile, ProfiledRegion};
use ats_model::definitions::RegionRole;
use ats_model::quantity::View;
use ats_model::wait_state::{Class, WaitState};

impl Profile {
    /// The call graphs of the regions that the units that are meant have executed.
    ///
    /// ```
    /// use ats_documents::profile::{CallNode, Metric, Origin, ProcessingUnit, Profile, ProfiledRegion};
    /// use ats_documents::region_graph::Per;
    /// let region = |id, name: &str| ProfiledRegion { id, name: name.to_owned(), ..ProfiledRegion::default() };
    /// let mut profile = Profile::new("traces.otf2");
    /// profile.units = vec![ProcessingUnit { rank: 0, thread: 0, node: None }];
    /// profile.regions = vec![region(0, "main"), region(1, "f")];
    /// profile.call_tree =
    ///     vec![CallNode { id: 0, parent: None, region: 0 }, CallNode { id: 1, parent: Some(0), region: 1 }];
    /// profile.metrics = vec![Metric::new("time", "s", Origin::Measured, Default::default())];
    /// profile.values.insert("time".to_owned(), vec![(0, 0, 2.0), (1, 0, 0.5)].into());
    /// let graph = &profile.region_graphs(Per::Program, |_| true).graphs[0];
    /// assert_eq!((graph.nodes[0].time, graph.nodes[0].children, graph.nodes[0].rest), (2.5, 0.5, 2.0));
    /// assert_eq!((graph.edges[0].from, graph.edges[0].to, graph.edges[0].time), (0, 1, 0.5));
    /// ```
    pub fn region_graphs(&self, per: Per, is_meant: impl Fn(ProcessingUnit) -> bool) -> RegionGraphs {
        let of = |unit: ProcessingUnit| match per {
            Per::Thread => (Some(unit.rank), Some(unit.thread)),
            Per::Process => (Some(unit.rank), None),
            Per::Program => (None, None),
        };
        let mut spent: BTreeMap<_, BTreeMap<u32, Spent>> = BTreeMap::new();
        let tells_forks = self.metrics.iter().any(|metric| metric.name == Profile::FORK);
        for metric in &self.metrics {
            let Some(amount) = Amount::from_metric(metric, tells_forks) else { continue };
            for (path, unit, value) in self.values_of(&metric.name) {
                let unit = self.units[unit as usize];
                if is_meant(unit) {
                    *spent.entry(of(unit)).or_default().entry(path).or_default().amount_mut(amount) += value;
                }
            }
        }
        let has_calls = self.values.contains_key(Profile::VISITS);
        let graph = |((rank, thread), spent)| {
            let (nodes, edges) = Growing::new(self, &spent, has_calls).graph();
            RegionGraph { rank, thread, nodes, edges }
        };
        RegionGraphs {
            schema: RegionGraphs::SCHEMA.to_owned(),
            source: self.source.clone(),
            per,
            regions: self.regions.clone(),
            graphs: spent.into_iter().map(graph).collect(),
            warnings: self.warnings.clone(),
        }
    }
}

/// The meaning of a metric's values in a call path.
#[derive(Clone, Copy)]
enum Amount {
    Calls,
    Time,
    /// Waiting before the work.
    Before,
    /// Waiting after the work.
    After,
    /// Forks and joins.
    Management,
    /// Forks alone.
    Fork,
}

impl Amount {
    /// The meaning of a metric; `None` if it is not a part of the time. Unless the source `tells_forks` apart, joins
    /// count as forks, too.
    fn from_metric(metric: &Metric, tells_forks: bool) -> Option<Self> {
        match metric.name.as_str() {
            Profile::TIME => return Some(Amount::Time),
            Profile::VISITS => return Some(Amount::Calls),
            Profile::FORK => return Some(Amount::Fork),
            _ => {}
        }
        let state = WaitState::from_name(&metric.name).or_else(|| WaitState::from_metric(&metric.name))?;
        let is_before = state.awaited().is_some() || state.class() == Class::OmpThreads;
        match state.view() {
            View::Wait if state.class() == Class::OmpThreads && tells_forks => Some(Amount::Management),
            View::Wait if is_before => Some(Amount::Before),
            // Nobody is waited for any more, and it takes its time.
            View::Wait => Some(Amount::After),
            _ => None,
        }
    }
}

/// The amounts spent in a call path.
#[derive(Clone, Copy, Default)]
struct Spent {
    calls: f64,
    time: f64,
    before: f64,
    after: f64,
    management: f64,
    fork: f64,
}

impl Spent {
    fn amount_mut(&mut self, amount: Amount) -> &mut f64 {
        match amount {
            Amount::Calls => &mut self.calls,
            Amount::Time => &mut self.time,
            Amount::Before => &mut self.before,
            Amount::After => &mut self.after,
            Amount::Management => &mut self.management,
            Amount::Fork => &mut self.fork,
        }
    }
}

/// A part of a construct that is a region of its own in a trace.
enum Part {
    Body,
    End,
}

impl Part {
    /// The part that a region is of the construct around it.
    fn from_roles(region: RegionRole, construct: RegionRole) -> Option<Self> {
        use RegionRole::*;
        match (construct, region) {
            (Parallel | Loop | Sections | Workshare | Single, ImplicitBarrier) => Some(Part::End),
            (Critical, CriticalSblock) | (Ordered, OrderedSblock) | (Single, SingleSblock) => {
                Some(Part::Body)
            }
            _ => None,
        }
    }
}

/// The call paths of a graph, which are its nodes before those of one region become one.
struct Growing<'a> {
    profile: &'a Profile,
    has_calls: bool,
    /// Of each region; that of a construct by its name, since not every recorder tells it.
    roles: Vec<RegionRole>,
    /// Of each path the innermost, from it outwards, that is a node.
    home: Vec<Option<u32>>,
    /// For each path that is a node, its exclusive amounts and its inclusive time.
    nodes: Vec<GraphNode>,
    calls: Vec<f64>,
}

impl<'a> Growing<'a> {
    fn new(profile: &'a Profile, spent: &BTreeMap<u32, Spent>, has_calls: bool) -> Self {
        let paths = profile.call_tree.len();
        let mut growing = Growing {
            profile,
            has_calls,
            roles: profile.regions.iter().map(ProfiledRegion::role_by_name).collect(),
            home: vec![None; paths],
            nodes: vec![GraphNode::default(); paths],
            calls: vec![0.0; paths],
        };
        let mut has_body = vec![false; paths];
        for node in &profile.call_tree {
            let outer = growing.outer(node);
            growing.home[node.id as usize] = outer;
            let was_there = |spent: &&Spent| spent.calls > 0.0 || spent.time > 0.0 || !has_calls;
            let Some(&spent) = spent.get(&node.id).filter(was_there) else { continue };
            let construct = outer.filter(|&outer| node.parent == Some(outer));
            let part = construct.and_then(|construct| {
                Some((Part::from_roles(growing.role(node.id), growing.role(construct))?, construct as usize))
            });
            match part {
                Some((Part::End, construct)) => growing.nodes[construct].end += spent.time,
                Some((Part::Body, construct)) => {
                    let whole = &mut growing.nodes[construct];
                    // Outside its body a construct waits until it may begin.
                    if !std::mem::replace(&mut has_body[construct], true) {
                        whole.start += std::mem::take(&mut whole.rest);
                    }
                    whole.rest += spent.time;
                }
                None => growing.add(node, &spent),
            }
        }
        growing.add_insides();
        growing
    }

    fn role(&self, path: u32) -> RegionRole {
        self.roles[self.profile.call_tree[path as usize].region as usize]
    }

    /// The node that a path is called in.
    fn outer(&self, node: &CallNode) -> Option<u32> {
        node.parent.and_then(|parent| self.home[parent as usize])
    }

    fn add(&mut self, node: &CallNode, spent: &Spent) {
        let path = node.id as usize;
        self.home[path] = Some(node.id);
        self.calls[path] = spent.calls;
        let start = (spent.before + spent.fork).min(spent.time);
        let join = (spent.management - spent.fork).max(0.0);
        let end = (spent.after + join).min(spent.time - start);
        let rest = spent.time - start - end;
        self.nodes[path] = GraphNode { start, end, rest, ..GraphNode::default() };
    }

    /// Adds to each path the time inside it.
    fn add_insides(&mut self) {
        for node in self.profile.call_tree.iter().rev() {
            let path = node.id as usize;
            let of_path = &mut self.nodes[path];
            of_path.time = of_path.start + of_path.children + of_path.end + of_path.rest;
            let time = of_path.time;
            if let Some(outer) = self.outer(node).filter(|_| self.is_node(node)) {
                self.nodes[outer as usize].children += time;
            }
        }
    }

    fn is_node(&self, node: &CallNode) -> bool {
        self.home[node.id as usize] == Some(node.id)
    }

    /// Whether a path is in no other node of its region.
    fn is_outermost(&self, node: &CallNode) -> bool {
        let mut outer = self.profile.ancestors(node.id).skip(1).filter(|outer| self.is_node(outer));
        outer.all(|outer| outer.region != node.region)
    }

    /// The nodes and edges, in order.
    fn graph(&self) -> (Vec<GraphNode>, Vec<GraphEdge>) {
        let mut nodes: BTreeMap<u32, GraphNode> = BTreeMap::new();
        let mut edges: BTreeMap<(u32, u32), GraphEdge> = BTreeMap::new();
        for path in self.profile.call_tree.iter().filter(|path| self.is_node(path)) {
            let of_path = &self.nodes[path.id as usize];
            let calls = self.has_calls.then_some(self.calls[path.id as usize] as u64);
            let add = |sum: &mut Option<u64>| *sum = calls.map(|calls| sum.unwrap_or_default() + calls);
            let node = nodes.entry(path.region).or_default();
            node.region = path.region;
            add(&mut node.calls);
            if self.is_outermost(path) {
                node.time += of_path.time;
                node.start += of_path.start;
                node.children += of_path.children;
                node.end += of_path.end;
                node.rest += of_path.rest;
            }
            let Some(outer) = self.outer(path) else { continue };
            let outer = &self.profile.call_tree[outer as usize];
            let edge = edges.entry((outer.region, path.region)).or_default();
            (edge.from, edge.to) = (outer.region, path.region);
            add(&mut edge.calls);
            if self.is_outermost(outer) {
                edge.time += of_path.time;
            }
        }
        (nodes.into_values().collect(), edges.into_values().collect())
    }
}
