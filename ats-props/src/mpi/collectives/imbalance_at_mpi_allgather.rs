//! Waiting for the last to reach an n-to-n operation that collects.

use ats_mpi::Op;
use ats_props::{Balance, Communicator, Distribution, property};

use crate::family::uneven::{Uneven, calls};

/// Ranks wait in an allgather because their work is distributed unevenly.
///
/// Every rank works for its share of `distribution`, and then collects a block of every rank, which needs that of the
/// last to come.
///
/// ```text
/// low   ├─ low ──┬─ MPI_Allgather ·········┤
/// high  ├─ high ─┼─────────┬─ MPI_Allgather┤
///                └─ waits ─┘
/// ```
///
/// No skew is left, and no other wait state shows.
#[property(
    finds = WaitAtNxN,
    at = "MPI_Allgather",
    each = r * (max(distribution) - distribution[i]),
    cause = if alone(distribution) { LackOfParallelism } else { LateArrival },
    min_ranks = 2
)]
pub fn imbalance_at_mpi_allgather(
    /// Work of each rank in a repetition.
    #[default(Distribution::block2(0.01, 0.06))]
    distribution: Distribution,
    /// Number of repetitions.
    #[default(10)]
    r: usize,
    c: &dyn Communicator,
    balance: Balance,
) {
    let (send, recv) = (c.base_buf(), c.base_buf_per_rank());
    Uneven { work: distribution, r }.run(balance, c, calls(Op::Allgather { send, recv }, c));
}
