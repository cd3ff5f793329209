//! Returning late from a barrier.

use ats_mpi::Op;
use ats_props::{Balance, Communicator, Distribution, property};

use crate::family::late_exit::LateExit;

/// Ranks return from a barrier at different times, though it is over for all at once.
///
/// Every rank enters `MPI_Barrier` together with the others; the barrier is over at once, and each returns as late as
/// `distribution` says. Then each works until all have returned, so that all come to the next barrier together.
///
/// ```text
/// low   ├─ MPI_Barrier ┬─ high − low ──────┤
/// high  ├─ MPI_Barrier ┼───────────────────┤
///                      └─ after the first ─┘
/// ```
///
/// No program can tell a library when to return: this is an ideal trace alone. No other wait state shows.
#[property(
    finds = BarrierCompletion,
    at = "MPI_Barrier",
    each = r * (distribution[i] - min(distribution)),
    cause = SlowCommunication,
    entry = Trace,
    min_ranks = 2
)]
pub fn barrier_completion(
    /// Delay of each rank's return in a repetition.
    #[default(Distribution::block2(0.01, 0.06))]
    distribution: Distribution,
    /// Number of repetitions.
    #[default(10)]
    r: usize,
    c: &dyn Communicator,
    balance: Balance,
) {
    LateExit { delay: distribution, r }.run(balance, c, &Op::Barrier);
}
