//! Tests of a property: its closed form, held against the virtual engine. For the suite's own tests, and with the
//! feature `testing` for those of any crate.
//!
//! ```
//! use ats_props::testing::{assert_silent, assert_waits};
//! use ats_props::mpi::messages::late_sender;
//!
//! let path = ["late_sender", "mpi_commpattern_sendrecv", "MPI_Recv"];
//! let waits = |rank: usize| if rank % 2 == 1 { 2.0 * 0.01 } else { 0.0 };
//! assert_waits(&late_sender::PROPERTY, 4, &[("extrawork", "10ms"), ("r", "2")], &path, waits);
//! assert_silent(&late_sender::PROPERTY, 4, &[]);
//! ```

use std::collections::BTreeMap;

use ats_model::WaitState;
use ats_virtual::{Network, Outcome, Simulation};

use crate::{Context, Entry, Program, Property, mpi, openmp};

/// One of each shape, rising and falling.
pub const DISTRIBUTIONS: [&str; 11] = [
    "same:0.02",
    "cyclic2:0.01:0.05",
    "cyclic2:0.05:0.01",
    "block2:0.01:0.05",
    "block2:0.05:0.01",
    "linear:0.01:0.05",
    "linear:0.05:0.01",
    "peak:0.01:0.05:3",
    "peak:0.05:0.01:0",
    "cyclic3:0.01:0.02:0.05",
    "block3:0.01:0.02:0.05",
];

/// Numbers of ranks to test a closed form with. A property errs by parity, at a root or partner that is not there, at a
/// power of two or an even number that is none, at multiples of a small number, or by one: in each of these, two of the
/// numbers differ. Of each shape of property that several share, one is tested with all up to the largest.
pub const RANKS: [usize; 9] = [1, 2, 3, 4, 5, 6, 7, 8, 33];

/// The same of threads.
pub const THREADS: [usize; 8] = [1, 2, 3, 4, 5, 6, 8, 17];

/// One property of each shape in `family`.
static SHAPES: [&Property; 20] = [
    &mpi::collectives::early_reduce::PROPERTY,
    &mpi::collectives::early_scan::PROPERTY,
    &mpi::collectives::frequent_barrier::PROPERTY,
    &mpi::collectives::imbalance_at_mpi_barrier::PROPERTY,
    &mpi::collectives::late_broadcast::PROPERTY,
    &mpi::collectives::nxn_completion::PROPERTY,
    &mpi::heat::heat_solver_no_overlap::PROPERTY,
    &mpi::messages::late_sender_nonblocking::PROPERTY,
    &mpi::messages::late_sender_waitall::PROPERTY,
    &mpi::nonblocking::early_ireduce::PROPERTY,
    &mpi::nonblocking::early_iscan::PROPERTY,
    &mpi::nonblocking::imbalance_at_iallreduce::PROPERTY,
    &mpi::nonblocking::late_ibcast::PROPERTY,
    &mpi::silent::late_nonroot_broadcast::PROPERTY,
    &openmp::critical_section_contention::PROPERTY,
    &openmp::frequent_atomic::PROPERTY,
    &openmp::imbalance_at_omp_barrier::PROPERTY,
    &openmp::staggered_lock::PROPERTY,
    &openmp::too_fine_grained_tasks::PROPERTY,
    &openmp::unparallelized_in_single_region::PROPERTY,
];

/// The numbers of ranks to test a property of a shape with.
pub(crate) fn ranks(property: &Property) -> impl Iterator<Item = usize> {
    sizes_of(property, &RANKS)
}

/// The numbers of threads to test a property of a shape with.
pub(crate) fn threads(property: &Property) -> impl Iterator<Item = usize> {
    sizes_of(property, &THREADS)
}

fn sizes_of(property: &Property, usual: &'static [usize]) -> impl Iterator<Item = usize> {
    let all = SHAPES.iter().any(|shape| shape.name == property.name);
    let largest = usual.iter().copied().max().unwrap_or_default();
    (1..=largest).filter(move |size| all || usual.contains(size))
}

/// Ranks, and threads of each.
pub type Size = (usize, usize);

/// Sizes of hybrid programs.
pub fn sizes() -> impl Iterator<Item = Size> {
    (1..=3).flat_map(|ranks| THREADS.map(move |threads| (ranks, threads)))
}

/// Runs a property or its twin on the virtual engine.
pub fn simulate(
    property: &'static Property,
    (ranks, threads): Size,
    given: &[(&str, &str)],
    balanced: bool,
) -> Outcome {
    let bandwidth = property.bandwidth.unwrap_or(f64::INFINITY);
    let network = Network { progress: property.progress, bandwidth, ..Network::default() };
    simulate_on(network, property, (ranks, threads), given, balanced)
}

/// The same on this network.
pub fn simulate_on(
    network: Network,
    property: &'static Property,
    (ranks, threads): Size,
    given: &[(&str, &str)],
    balanced: bool,
) -> Outcome {
    let arguments = property.arguments(given.iter().copied()).unwrap();
    let program = Program { property, balanced };
    let measured = property.finds.measured().collect();
    let simulation = Simulation::new(ranks).threads(threads).network(network).measure(measured);
    if property.entry == Entry::Program {
        simulation.run_processes(|process| program.run(&Context::before_mpi(process), &arguments)).unwrap()
    } else if property.needs.team {
        simulation
            .run_with_team(|c, team| program.run(&Context::new(Some(c), Some(team)), &arguments))
            .unwrap()
    } else {
        simulation.run(|c| program.run(&Context::new(Some(c), None), &arguments)).unwrap()
    }
}

/// Equal to 1e-9 relative or 1 ps an operation.
pub fn assert_close(found: f64, known: f64) {
    assert!(
        (found - known).abs() <= 1e-9 * known.abs() + 1e-10,
        "found {found}, the closed form gives {known}"
    );
}

/// A wait at a call path, and its seconds by rank and thread.
pub struct Shows<'a> {
    /// The wait state; `None` if no metric counts it.
    pub state: Option<WaitState>,
    /// From the property's region to the call.
    pub call_path: &'a [&'a str],
    /// The wait of a thread of a rank there.
    pub seconds: &'a dyn Fn(usize, usize) -> f64,
}

/// The property shows all of this and nothing else.
pub fn assert_shows(property: &'static Property, size: Size, given: &[(&str, &str)], shows: &[Shows<'_>]) {
    let outcome = simulate(property, size, given, false);
    let mut found: BTreeMap<_, f64> = BTreeMap::new();
    for wait in &outcome.waits {
        let (state, path, seconds) = (wait.state, &*wait.call_path, wait.physical_time);
        let known = shows.iter().any(|shown| (shown.state, shown.call_path) == (state, path));
        assert!(known, "{} at {size:?} shows {state:?} at {path:?} for {seconds} s", property.name);
        *found.entry((state, path, wait.rank, wait.thread)).or_default() += seconds;
        assert!(state.is_none() || wait.waiting_time == seconds, "the metric counts all of it");
    }
    for Shows { state, call_path, seconds } in shows {
        for rank in 0..size.0 {
            for thread in 0..size.1 {
                let found = found.get(&(*state, *call_path, rank, thread)).copied();
                assert_close(found.unwrap_or(0.0), seconds(rank, thread));
            }
        }
    }
}

/// Asserts that on up to 33 ranks of one thread none waits, and that rank i of n is done after `end(i, n)` seconds for
/// each of five repetitions.
pub fn assert_nobody_waits(
    property: &'static Property,
    given: &[(&str, &str)],
    end: impl Fn(usize, usize) -> f64,
) {
    let given = [given, &[("r", "5")]].concat();
    for ranks in ranks(property) {
        assert_shows(property, (ranks, 1), &given, &[]);
        for (rank, found) in simulate(property, (ranks, 1), &given, false).ends.into_iter().enumerate() {
            assert_close(found, 5.0 * end(rank, ranks));
        }
    }
}

/// Asserts that in one process of up to 17 threads none waits.
pub fn assert_no_thread_waits(property: &'static Property, given: &[(&str, &str)]) {
    threads(property).for_each(|threads| assert_shows(property, (1, threads), given, &[]));
}

/// The property shows exactly its own wait state, at `call_path`, and rank i waits `waits(i)` seconds.
pub fn assert_waits(
    property: &'static Property,
    ranks: usize,
    given: &[(&str, &str)],
    call_path: &[&str],
    waits: impl Fn(usize) -> f64,
) {
    let seconds = |rank, _| waits(rank);
    let shows = Shows { state: property.finds.wait_state(), call_path, seconds: &seconds };
    assert_shows(property, (ranks, 1), given, &[shows]);
}

/// The call path of these constructs in the region of a property.
pub fn in_region(property: &'static Property, constructs: &[&'static str]) -> Vec<&'static str> {
    [&[property.name, "!$omp parallel"], constructs].concat()
}

/// On one rank, the property shows exactly its own wait state, at `call_path`, and thread i waits `waits(i)` seconds.
pub fn assert_team_waits(
    property: &'static Property,
    threads: usize,
    given: &[(&str, &str)],
    call_path: &[&str],
    waits: impl Fn(usize) -> f64,
) {
    let seconds = |_, thread| waits(thread);
    let shows = Shows { state: property.finds.wait_state(), call_path, seconds: &seconds };
    assert_shows(property, (1, threads), given, &[shows]);
}

/// Asserts that the balanced twin never waits, works as much and makes the same calls, on `ranks` ranks of one thread.
pub fn assert_silent(property: &'static Property, ranks: usize, given: &[(&str, &str)]) {
    assert_silent_at(property, (ranks, 1), given);
}

/// The same on one rank of `threads` threads.
pub fn assert_team_silent(property: &'static Property, threads: usize, given: &[(&str, &str)]) {
    assert_silent_at(property, (1, threads), given);
}

/// The same at any size.
pub fn assert_silent_at(property: &'static Property, size: Size, given: &[(&str, &str)]) {
    let [outcome, twin] = assert_quiet(property, size, given);
    assert_eq!(outcome.counts, twin.counts, "{} at {size:?}", property.twin);
}

/// Asserts that the balanced twin never waits and works as much. Returns the outcomes of the property and of its twin.
pub fn assert_quiet(property: &'static Property, size: Size, given: &[(&str, &str)]) -> [Outcome; 2] {
    let [outcome, twin] = [false, true].map(|balanced| simulate(property, size, given, balanced));
    // Shares of the work are rounded to picoseconds, which adds up over the calls.
    assert!(waited(&twin) < 1e-8, "{} at {size:?}: {:?}", property.twin, twin.waits);
    assert_close(worked(&twin), worked(&outcome));
    [outcome, twin]
}

/// Seconds that the locations waited or were idle.
fn waited(outcome: &Outcome) -> f64 {
    outcome.waits.iter().map(|wait| wait.physical_time).sum()
}

/// Seconds that the locations did something.
fn worked(outcome: &Outcome) -> f64 {
    let existed: f64 = outcome.locations.iter().map(|location| outcome.ends[location.rank]).sum();
    existed - waited(outcome)
}
