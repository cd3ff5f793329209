//! Tests of a property: its formulas, held against the virtual engine. For the suite's own tests, and with the feature
//! `testing` for those of any crate.
//!
//! ```
//! use ats_props::testing::{assert_formulas, assert_formulas_with};
//! use ats_props::mpi::messages::late_sender;
//!
//! assert_formulas(&late_sender::PROPERTY);
//! assert_formulas_with(&late_sender::PROPERTY, (4, 1), &[("extrawork", "10ms"), ("r", "2")]);
//! ```

mod formulas;

pub use formulas::{assert_formulas, assert_formulas_with};

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

/// Numbers of ranks to test formulas with. A property errs by parity, at a root or partner that is not there, at a
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
fn ranks(property: &Property) -> impl Iterator<Item = usize> {
    sizes_of(property, &RANKS)
}

/// The numbers of threads to test a property of a shape with.
fn threads(property: &Property) -> impl Iterator<Item = usize> {
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
fn sizes() -> impl Iterator<Item = Size> {
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
    assert!((found - known).abs() <= 1e-9 * known.abs() + 1e-10, "found {found}, the formula gives {known}");
}

/// Asserts that rank i of n waits nowhere, and is done after `end(i, n)` seconds for each of five repetitions.
pub fn assert_nobody_waits(
    property: &'static Property,
    given: &[(&str, &str)],
    end: impl Fn(usize, usize) -> f64,
) {
    let given = [given, &[("r", "5")]].concat();
    for ranks in ranks(property) {
        let outcome = simulate(property, (ranks, 1), &given, false);
        assert!(outcome.waits.is_empty(), "{} on {ranks} ranks: {:?}", property.name, outcome.waits);
        for (rank, found) in outcome.ends.into_iter().enumerate() {
            assert_close(found, 5.0 * end(rank, ranks));
        }
    }
}
