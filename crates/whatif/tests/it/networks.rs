//! Networks with nodes, and with algorithms of collective operations: the run on the other network is the truth.

use ats_model::definitions::{SystemNode, SystemTree};
use ats_model::source::InMemory;
use ats_props::Catalogue;
use ats_truth::{Network, Planned, TruthOptions, network};
use ats_virtual::{Algorithm, Node, Simulation};
use ats_whatif::{Changes, NetworkOfReplay, WhatIfError};

use crate::{composed, ideal, planned, program, program_again};

/// Programs whose calls on another network are not known from their trace: their calls last longer than they need, they test
/// again and again, pack their messages, make them as large as the eager limit, or send to neighbours, while no record
/// tells the bytes.
const UNDEFINED: [&str; 6] = [
    "barrier_completion",
    "derived_datatype_packing",
    "imbalance_at_neighbor_alltoall",
    "late_sender_test_polling",
    "near_eager_threshold_traffic",
    "nxn_completion",
];

/// The end of each location, in picoseconds.
fn ends(trace: &InMemory) -> Vec<u64> {
    trace.events.iter().map(|events| events.last().map_or(0, |event| event.0)).collect()
}

/// The difference of a program's trace on one network, replayed on another, from its run there, if above 1e-9 of that.
fn differs(it: &Planned, (a, b): (Network, Network)) -> Option<String> {
    let on = |network| TruthOptions { network, ..TruthOptions::default() };
    let trace = ideal(it, &on(a));
    let changes = Changes { network: NetworkOfReplay::Model(b), ..Changes::default() };
    let (_, predicted) = program_again(&trace, it).run_in_memory(&changes).unwrap();
    let (is, should) = (ends(&predicted), ends(&ideal(it, &on(b))));
    let worst = is.iter().zip(&should).map(|(is, should)| is.abs_diff(*should)).max()?;
    let wall = should.iter().max().copied()?;
    (worst > wall / 1_000_000_000 + 100)
        .then(|| format!("{} on {}: off by {worst} of {wall}", it.subject.name(), it.size))
}

/// Checks programs of the suite from one network to another, and some random compositions.
#[track_caller]
fn check(a: &str, b: &str) {
    let [a, b] = [a, b].map(|words| network(words).unwrap());
    let catalogue = Catalogue::builtin();
    let mut differences = Vec::new();
    for program in catalogue.programs().filter(|program| program.property.needs.ranks) {
        let b = Network { progress: program.property.progress, ..b };
        if !UNDEFINED.contains(&program.property.name) {
            let threads = if program.property.needs.team { 2 } else { 1 };
            differences.extend(differs(&planned(program.name(), &[], 6, threads), (a, b)));
        }
    }
    assert!(differences.is_empty(), "{} differ:\n{}", differences.len(), differences.join("\n"));
}

const A: &str = "latency=1us,bandwidth=10GB/s,overhead=200ns";

#[test]
fn nodes_have_links_of_their_own() {
    check(A, "latency=100us,bandwidth=100MB/s,overhead=5us,node=2,node-latency=10us,node-bandwidth=1GB/s");
}

#[test]
fn operations_follow_their_algorithm() {
    for (a, b) in [
        (A, "latency=50us,bandwidth=100MB/s,collectives=linear"),
        (A, "latency=50us,bandwidth=100MB/s,collectives=ring,node=3,node-latency=2us"),
        ("latency=1us,collectives=ring", "latency=50us,bandwidth=100MB/s,collectives=binomial"),
        (
            "latency=1us,node=4,collectives=linear",
            "latency=50us,bandwidth=1GB/s,node=3,node-latency=1us,collectives=doubling",
        ),
    ] {
        check(a, b);
    }
}

#[test]
fn compositions_run_on_nodes() {
    let [a, plain, b] = [
        A,
        "latency=20us,bandwidth=1GB/s",
        "latency=20us,bandwidth=1GB/s,node=2,node-latency=1us,collectives=doubling",
    ]
    .map(|words| network(words).unwrap());
    let mut checked = 0;
    for seed in ats_testing::seeds(40) {
        let it = composed(seed, (4, 1 + seed as usize % 3), 2);
        // Traces of some do not tell what another network costs, with nodes or without.
        if differs(&it, (a, plain)).is_none() {
            checked += 1;
            assert_eq!(differs(&it, (a, b)), None, "random_{seed}");
        }
    }
    assert!(checked >= 20, "{checked}");
}

#[test]
fn nodes_of_the_trace_are_those_of_its_system_tree() {
    let of_trace = Network {
        latency: 1e-4,
        node: Some(Node { ranks: None, latency: 1e-6, bandwidth: f64::INFINITY }),
        ..Network::default()
    };
    let changes = Changes { network: NetworkOfReplay::Model(of_trace), ..Changes::default() };
    let it = planned("late_sender", &[], 4, 1);
    let mut trace = ideal(&it, &TruthOptions::default());
    let error = program(&trace).run_in_memory(&changes).unwrap_err();
    assert!(matches!(error, WhatIfError::UnknownNodes), "{error}");
    let node = |name: &str| SystemNode { name: name.into(), class: "node".into(), parent: None };
    trace.definitions.system_tree = SystemTree {
        nodes: vec![node("one"), node("other")],
        processes: (0..4).map(|rank| (rank, u32::from(rank >= 2))).collect(),
    };
    let (_, replayed) = program(&trace).run_in_memory(&changes).unwrap();
    let network = Network { node: of_trace.node.map(|node| Node { ranks: Some(2), ..node }), ..of_trace };
    assert_eq!(ends(&replayed), ends(&ideal(&it, &TruthOptions { network, ..TruthOptions::default() })));
}

/// The microseconds that an operation takes beside waiting, on six members with 1,200 bytes a block: a transfer takes 10 us
/// and 0.01 us a byte.
#[track_caller]
fn check_cost(algorithm: Algorithm, operation: fn(&dyn ats_mpi::Communicator), expected: f64) {
    let network = Network {
        latency: 1e-5,
        bandwidth: 1e8,
        eager_limit: 1 << 20,
        collectives: Some(algorithm),
        ..Network::default()
    };
    let mut trace = InMemory::default();
    Simulation::new(6).network(network).record(&mut trace).run(operation).unwrap();
    let last = ends(&trace).into_iter().max().unwrap();
    assert!((last as f64 / 1e6 - expected).abs() < 1e-6, "{algorithm:?}: {} us", last as f64 / 1e6);
}

fn block(c: &dyn ats_mpi::Communicator) -> ats_mpi::MpiBuf {
    c.alloc_mpi_buf(ats_mpi::Datatype::Byte, 1200)
}

fn blocks(c: &dyn ats_mpi::Communicator) -> ats_mpi::MpiBuf {
    c.alloc_mpi_buf(ats_mpi::Datatype::Byte, 1200 * c.size())
}

#[test]
fn costs_are_those_of_the_formulas() {
    use Algorithm::{Binomial, Doubling, Linear, Ring};
    let all = [Linear, Binomial, Doubling, Ring];
    // Five others, three rounds; a block takes 12 us, that of all 72 us, five sixths of one 10 us.
    let of_barrier = [100.0, 60.0, 30.0, 100.0];
    let of_bcast = [110.0, 66.0, 30.0 + 10.0 + 30.0 + 10.0, 30.0 + 10.0 + 50.0 + 10.0];
    let of_allreduce = [220.0, 132.0, 66.0, 100.0 + 20.0];
    let of_gather = [110.0, 90.0, 90.0, 90.0];
    let of_allgather = [110.0, 90.0 + 30.0 + 3.0 * 72.0, 90.0, 110.0];
    let of_alltoall = [110.0, 30.0 + 3.0 * 36.0, 30.0 + 3.0 * 36.0, 110.0];
    for (at, algorithm) in all.into_iter().enumerate() {
        check_cost(algorithm, |c| c.barrier(), of_barrier[at]);
        check_cost(algorithm, |c| c.bcast(0, &block(c)), of_bcast[at]);
        check_cost(
            algorithm,
            |c| c.allreduce(ats_mpi::ReduceOp::Max, &block(c), &block(c)),
            of_allreduce[at],
        );
        check_cost(
            algorithm,
            |c| c.gather(0, &block(c), (c.rank() == 0).then(|| blocks(c)).as_ref()),
            of_gather[at],
        );
        check_cost(algorithm, |c| c.alltoall(&blocks(c), &blocks(c)), of_alltoall[at]);
        check_cost(
            algorithm,
            |c| {
                c.call(ats_mpi::Op::Allgather { send: block(c), recv: blocks(c) });
            },
            of_allgather[at],
        );
    }
}
