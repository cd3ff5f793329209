//! Runs and their waits, for the tests.

use ats_model::WaitState;
use ats_mpi::{Communicator, Datatype, MpiBuf};
use ats_virtual::{Outcome, Simulation};

/// Rank, wait state, milliseconds.
pub(crate) type Wait = (usize, &'static str, f64);

pub(crate) fn run(ranks: usize, program: impl Fn(&dyn Communicator)) -> Outcome {
    Simulation::new(ranks).run(program).unwrap()
}

pub(crate) fn buf(c: &dyn Communicator, bytes: usize) -> MpiBuf {
    c.alloc_mpi_buf(Datatype::Byte, bytes)
}

/// Milliseconds, rounded to nanoseconds, so that tables read well.
fn ms(seconds: f64) -> f64 {
    (seconds * 1e9).round() / 1e6
}

/// The end of each rank, in milliseconds.
pub(crate) fn ends(outcome: &Outcome) -> Vec<f64> {
    outcome.ends.iter().map(|&end| ms(end)).collect()
}

/// All waits.
pub(crate) fn waits(outcome: &Outcome) -> Vec<Wait> {
    let named = |wait: &ats_virtual::Wait| {
        (wait.rank, wait.state.map_or("blocked", WaitState::name), ms(wait.physical_time))
    };
    let mut waits: Vec<Wait> = outcome.waits.iter().map(named).collect();
    waits.sort_by(|a, b| a.partial_cmp(b).unwrap());
    waits
}
