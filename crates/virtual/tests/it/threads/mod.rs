//! The blocking rules of OpenMP against the closed forms, for 1 to 17 threads.

mod communicating;
mod events;
mod failures;
mod hybrid;
mod idle;
mod locks;
mod regions;
mod replay;
mod tasks;
mod worksharing;

use ats_model::WaitState;
use ats_omp::{Team, Thread};
use ats_virtual::{Outcome, Simulation, VirtualTeam, VirtualThread};
use ats_work::do_work;

const TEAMS: std::ops::RangeInclusive<usize> = 1..=17;
const REPETITIONS: usize = 3;

/// A unit of work, in seconds.
const UNIT: f64 = 0.01;

/// Runs a program of one process.
fn run(threads: usize, program: impl Fn(&VirtualTeam)) -> Outcome {
    Simulation::new(1).threads(threads).run_with_team(|_, team| program(team)).unwrap()
}

/// Runs one region on all threads of one process.
fn region_of(threads: usize, body: impl Fn(&VirtualThread) + Sync) -> Outcome {
    run(threads, |team| team.parallel(threads, &body))
}

/// Equal to 1e-9 relative or 1 ps an operation.
#[track_caller]
fn assert_close(found: f64, known: f64) {
    let tolerance = 1e-9 * known.abs() + 1e-10;
    assert!((found - known).abs() <= tolerance, "found {found}, the closed form gives {known}");
}

/// Asserts that the only waits are these, in seconds over all locations; waits that no metric counts are `None`.
#[track_caller]
fn assert_only(outcome: &Outcome, known: &[(Option<WaitState>, f64)]) {
    for wait in &outcome.waits {
        assert!(known.iter().any(|&(state, _)| state == wait.state), "{wait:?}");
    }
    for &(state, known) in known {
        let of = outcome.waits.iter().filter(|wait| wait.state == state);
        assert_close(of.map(|wait| wait.physical_time).sum(), known);
    }
}

/// Thread t works t + 1 units.
fn uneven(t: &VirtualThread) {
    do_work(UNIT * (t.number() + 1) as f64);
}

/// The number of units that a team of [`uneven`] threads waits for its last.
fn uneven_wait(threads: usize) -> f64 {
    (threads * (threads - 1) / 2) as f64
}
