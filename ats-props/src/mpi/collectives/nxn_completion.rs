//! Returning late from an n-to-n operation.

use ats_mpi::{Op, ReduceOp};
use ats_props::{Balance, Communicator, Distribution, property};

use crate::family::late_exit::LateExit;

/// Ranks return from an `MPI_Allreduce` at different times, though it is over for all at once.
///
/// As [`super::barrier_completion`], with an n-to-n operation.
///
/// ```text
/// low   ├─ MPI_Allreduce ┬─ high − low ──────┤
/// high  ├─ MPI_Allreduce ┼───────────────────┤
///                        └─ after the first ─┘
/// ```
///
/// No program can tell a library when to return: this is an ideal trace alone. No other wait state shows.
#[property(
    finds = NxNCompletion,
    at = "MPI_Allreduce",
    each = r * (distribution[i] - min(distribution)),
    cause = SlowCommunication,
    entry = Trace,
    min_ranks = 2
)]
pub fn nxn_completion(
    /// Delay of each rank's return in a repetition.
    #[default(Distribution::block2(0.01, 0.06))]
    distribution: Distribution,
    /// Number of repetitions.
    #[default(10)]
    r: usize,
    c: &dyn Communicator,
    balance: Balance,
) {
    let op = Op::Allreduce { op: ReduceOp::Min, send: c.base_buf(), recv: c.base_buf() };
    LateExit { delay: distribution, r }.run(balance, c, &op);
}
