use proptest::prelude::*;

use super::{GraphEdge, GraphNode, Per, RegionGraph};
use crate::profile::{CallNode, Metric, Origin, ProcessingUnit, Profile, ProfiledRegion};

/// A metric and its values.
type Values<'a> = (&'a str, &'a [(u32, u32, f64)]);

/// A profile of regions of these names and of call paths that are a parent and a region, on two ranks with two threads each, with
/// values by metric.
fn profile(regions: &[&str], paths: &[(Option<u32>, u32)], values: &[Values]) -> Profile {
    let mut profile = Profile::new("test");
    let unit = |(rank, thread)| ProcessingUnit { rank, thread, node: None };
    profile.units = [(0, 0), (0, 1), (1, 0), (1, 1)].map(unit).to_vec();
    let region = |(id, name): (u32, &&str)| ProfiledRegion {
        id,
        name: (*name).to_owned(),
        ..ProfiledRegion::default()
    };
    profile.regions = (0..).zip(regions).map(region).collect();
    profile.call_tree =
        (0..).zip(paths).map(|(id, &(parent, region))| CallNode { id, parent, region }).collect();
    for &(name, of) in values {
        profile.metrics.push(Metric::new(name, "s", Origin::Measured, Default::default()));
        profile.values.insert(name.to_owned(), of.to_vec().into());
    }
    profile
}

fn whole(profile: &Profile) -> RegionGraph {
    let [graph] = &profile.region_graphs(Per::Program, |_| true).graphs[..] else { panic!("one graph") };
    graph.clone()
}

fn node(region: u32, calls: u64, [time, start, children, end, rest]: [f64; 5]) -> GraphNode {
    GraphNode { region, calls: Some(calls), time, start, children, end, rest }
}

fn edge(from: u32, to: u32, calls: u64, time: f64) -> GraphEdge {
    GraphEdge { from, to, calls: Some(calls), time }
}

#[test]
fn a_region_inside_itself_has_the_time_of_its_outermost_visits() {
    // f calls g, which calls f, which calls g.
    let paths = [(None, 0), (Some(0), 1), (Some(1), 0), (Some(2), 1)];
    let values = [(0, 0, 1.0), (1, 0, 2.0), (2, 0, 4.0), (3, 0, 8.0)];
    let graph = whole(&profile(&["f", "g"], &paths, &[("time", &values), ("visits", &values)]));
    assert_eq!(
        graph.nodes,
        [node(0, 5, [15.0, 0.0, 14.0, 0.0, 1.0]), node(1, 10, [14.0, 0.0, 12.0, 0.0, 2.0])]
    );
    assert_eq!(graph.edges, [edge(0, 1, 10, 14.0), edge(1, 0, 4, 12.0)]);
}

#[test]
fn a_construct_is_one_region_with_a_start_and_an_end() {
    let regions = [
        "!$omp parallel",
        "!$omp critical",
        "!$omp critical sblock",
        "f",
        "!$omp implicit barrier",
        "!$omp barrier",
    ];
    let paths = [(None, 0), (Some(0), 1), (Some(1), 2), (Some(2), 3), (Some(0), 4), (Some(0), 5)];
    let time = [(0, 0, 10.0), (1, 0, 2.0), (2, 0, 3.0), (3, 0, 4.0), (4, 0, 5.0), (5, 0, 6.0)];
    let visits: Vec<_> = (0..6).map(|path| (path, 0, 1.0)).collect();
    let profile = profile(
        &regions,
        &paths,
        &[
            ("time", &time),
            ("visits", &visits),
            ("omp_management", &[(0, 0, 1.0)]),
            ("omp_critical_contention", &[(1, 0, 1.5)]),
            // Not cut at the thread's own leave.
            ("wait_at_explicit_omp_barrier", &[(5, 0, 7.0)]),
            ("wait_at_implicit_omp_barrier", &[(4, 0, 4.5)]),
        ],
    );
    let graph = whole(&profile);
    assert_eq!(
        graph.nodes,
        [
            node(0, 1, [30.0, 1.0, 15.0, 5.0, 9.0]),
            node(1, 1, [9.0, 2.0, 4.0, 0.0, 3.0]),
            node(3, 1, [4.0, 0.0, 0.0, 0.0, 4.0]),
            node(5, 1, [6.0, 6.0, 0.0, 0.0, 0.0]),
        ]
    );
    assert_eq!(graph.edges, [edge(0, 1, 1, 9.0), edge(0, 5, 1, 6.0), edge(1, 3, 1, 4.0)]);
}

#[test]
fn a_fork_is_a_start_and_a_join_an_end_where_they_are_told_apart() {
    let values =
        [("time", &[(0, 0, 9.0)][..]), ("visits", &[(0, 0, 1.0)]), ("omp_management", &[(0, 0, 5.0)])];
    let of = |values: &[Values]| whole(&profile(&["!$omp parallel"], &[(None, 0)], values)).nodes;
    assert_eq!(of(&values), [node(0, 1, [9.0, 5.0, 0.0, 0.0, 4.0])]);
    let fork = [("omp_fork", &[(0, 0, 2.0)][..])];
    assert_eq!(of(&[&values[..], &fork].concat()), [node(0, 1, [9.0, 2.0, 0.0, 3.0, 4.0])]);
}

#[test]
fn a_call_of_mpi_waits_before_and_after() {
    let values = [("time", &[(0, 0, 5.0)][..]), ("visits", &[(0, 0, 2.0)])];
    let waits = [("wait_at_barrier", &[(0, 0, 3.0)][..]), ("mpi_barrier_completion", &[(0, 0, 0.5)])];
    let idle = [("idle_threads", &[(0, 0, 4.0)][..])];
    let graph = whole(&profile(&["MPI_Barrier"], &[(None, 0)], &[&values[..], &waits, &idle].concat()));
    assert_eq!(graph.nodes, [node(0, 2, [5.0, 3.0, 0.0, 0.5, 1.5])]);
}

#[test]
fn there_is_one_of_each_thread_or_process_with_what_it_executed() {
    let paths = [(None, 0), (Some(0), 1), (Some(1), 2)];
    let time = [(0, 0, 1.0), (0, 2, 1.0), (1, 0, 2.0), (1, 1, 3.0), (2, 1, 4.0)];
    let visits = [(0, 0, 1.0), (0, 2, 1.0), (1, 0, 1.0), (1, 1, 1.0), (2, 1, 2.0)];
    let profile = profile(&["main", "!$omp parallel", "f"], &paths, &[("time", &time), ("visits", &visits)]);
    let shown = |per, is_meant: fn(ProcessingUnit) -> bool| -> Vec<_> {
        let graphs = profile.region_graphs(per, is_meant).graphs.into_iter();
        let times = |graph: RegionGraph| graph.nodes.iter().map(|node| (node.region, node.time)).collect();
        graphs
            .map(|graph| ((graph.rank, graph.thread), graph.edges.len(), times(graph)))
            .collect::<Vec<(_, _, Vec<_>)>>()
    };
    assert_eq!(
        shown(Per::Thread, |_| true),
        [
            ((Some(0), Some(0)), 1, vec![(0, 3.0), (1, 2.0)]),
            ((Some(0), Some(1)), 1, vec![(1, 7.0), (2, 4.0)]),
            ((Some(1), Some(0)), 0, vec![(0, 1.0)]),
        ]
    );
    assert_eq!(
        shown(Per::Process, |unit| unit.rank == 0),
        [((Some(0), None), 2, vec![(0, 10.0), (1, 9.0), (2, 4.0)])]
    );
    assert_eq!(shown(Per::Program, |_| true), [((None, None), 2, vec![(0, 11.0), (1, 9.0), (2, 4.0)])]);
    assert_eq!(shown(Per::Program, |_| false), []);
}

#[test]
fn uncounted_regions_have_no_calls_and_omitted_ones_no_edges() {
    // Nobody says what `main` takes.
    let paths = [(None, 0), (Some(0), 1), (Some(1), 2)];
    let profile = profile(&["main", "f", "g"], &paths, &[("time", &[(1, 0, 0.0), (2, 0, 4.0)])]);
    let mut graphs = profile.region_graphs(Per::Program, |_| true);
    let calls =
        |graph: &RegionGraph| graph.nodes.iter().map(|node| (node.region, node.calls)).collect::<Vec<_>>();
    assert_eq!(calls(&graphs.graphs[0]), [(1, None), (2, None)]);
    assert_eq!(graphs.graphs[0].edges, [GraphEdge { from: 1, to: 2, calls: None, time: 4.0 }]);
    graphs.retain(|region, node| region.name == "g" && node.time == 4.0);
    assert_eq!((calls(&graphs.graphs[0]), graphs.graphs[0].edges.len()), (vec![(2, None)], 0));
}

const REGIONS: [&str; 9] = [
    "main",
    "f",
    "MPI_Recv",
    "!$omp parallel",
    "!$omp for",
    "!$omp implicit barrier",
    "!$omp critical",
    "!$omp critical sblock",
    "!$omp single",
];

/// Each path's parent is one before it, so that there is much recursion; rank 0 executes all.
fn random() -> impl Strategy<Value = Profile> {
    let paths = proptest::collection::vec((any::<prop::sample::Index>(), 0..REGIONS.len() as u32), 0..40);
    let values = proptest::collection::vec((any::<prop::sample::Index>(), 0..4_u32, 1..1000_u32), 1..60);
    (paths, values).prop_map(|(paths, values)| {
        let mut tree = vec![(None, 0)];
        for (parent, region) in paths {
            tree.push((Some(parent.index(tree.len()) as u32), region));
        }
        // Whole numbers, so that the order of sums makes no difference.
        let more =
            values.into_iter().map(|(path, unit, value)| (path.index(tree.len()) as u32, unit, value.into()));
        let time: Vec<_> = (0..tree.len() as u32).map(|path| (path, 0, 1.0)).chain(more).collect();
        let waits: Vec<_> = time
            .iter()
            .map(|&(path, unit, value): &(_, _, f64)| (path, unit, (value / 3.0).floor()))
            .collect();
        profile(&REGIONS, &tree, &[("time", &time), ("visits", &time), ("late_sender", &waits)])
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300) })]

    #[test]
    #[cfg_attr(miri, ignore = "takes minutes there, and all of it is safe code")]
    fn the_time_of_a_region_is_the_sum_of_its_parts(profile in random()) {
        for per in Per::ALL {
            for graph in profile.region_graphs(per, |_| true).graphs {
                for node in &graph.nodes {
                    prop_assert_eq!(node.time, node.start + node.children + node.end + node.rest);
                    let from = graph.edges.iter().filter(|edge| edge.from == node.region);
                    prop_assert_eq!(node.children, from.map(|edge| edge.time).sum::<f64>());
                }
            }
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "takes minutes there, and all of it is safe code")]
    fn functions_have_the_time_and_the_calls_of_the_profile(profile in random()) {
        let whole = profile.by_region(|_| true);
        for node in self::whole(&profile).nodes.iter().filter(|node| node.region < 3) {
            let region = whole[node.region as usize];
            prop_assert_eq!((node.time, node.calls), (region.inclusive, Some(region.visits)));
        }
    }
}
