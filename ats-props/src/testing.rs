//! What the tests of the properties share.

use ats_virtual::{Outcome, Simulation};

use crate::{Context, Program, Property};

/// One of each shape, rising and falling.
pub(crate) const DISTRIBUTIONS: [&str; 11] = [
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

/// Runs a property or its twin on the virtual engine.
pub(crate) fn simulate(
    property: &'static Property,
    ranks: usize,
    given: &[(&str, &str)],
    balanced: bool,
) -> Outcome {
    let arguments = property.arguments(given.iter().copied()).unwrap();
    let program = Program { property, balanced };
    Simulation::new(ranks).run(|c| program.run(&Context::new(c), &arguments)).unwrap()
}

/// Equal to 1e-9 relative or 1 ps an operation.
pub(crate) fn assert_close(found: f64, known: f64) {
    assert!(
        (found - known).abs() <= 1e-9 * known.abs() + 1e-10,
        "found {found}, the closed form gives {known}"
    );
}

/// The property shows exactly its own wait state, at `call_path`, and rank i waits `waits(i)` seconds.
pub(crate) fn assert_waits(
    property: &'static Property,
    ranks: usize,
    given: &[(&str, &str)],
    call_path: &[&str],
    waits: impl Fn(usize) -> f64,
) {
    let outcome = simulate(property, ranks, given, false);
    for wait in &outcome.waits {
        assert_eq!((wait.state, &*wait.call_path), (Some(property.finds), call_path), "on {ranks} ranks");
    }
    for rank in 0..ranks {
        assert_close(outcome.waiting_time_of(property.finds, rank), waits(rank));
    }
}

/// The balanced twin waits nowhere, works as much and makes the same calls.
pub(crate) fn assert_silent(property: &'static Property, ranks: usize, given: &[(&str, &str)]) {
    let (outcome, twin) = (simulate(property, ranks, given, false), simulate(property, ranks, given, true));
    let waits: f64 = twin.waits.iter().map(|wait| wait.physical_time).sum();
    // Shares of the work are rounded to picoseconds, which adds up over the calls.
    assert!(waits < 1e-8, "{} waits {waits} s on {ranks} ranks", property.twin);
    assert_eq!(outcome.counts, twin.counts, "on {ranks} ranks");
    let worked = |outcome: &Outcome| {
        let waited: f64 = outcome.waits.iter().map(|wait| wait.physical_time).sum();
        outcome.ends.iter().sum::<f64>() - waited
    };
    assert_close(worked(&twin), worked(&outcome));
}
