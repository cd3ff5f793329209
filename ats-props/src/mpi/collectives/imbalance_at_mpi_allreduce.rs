//! Waiting for the last to reach an n-to-n operation that combines.

use ats_props::{Balance, Communicator, Distribution, property};

use crate::family::uneven::{Uneven, allreduce};

/// Ranks wait in an allreduce because their work is distributed unevenly.
///
/// Every rank works for its share of `distribution`, and then the values of all are combined for all, which needs that
/// of the last to come.
///
/// ```text
/// low   ├─ low ──┬─ MPI_Allreduce ·········┤
/// high  ├─ high ─┼─────────┬─ MPI_Allreduce┤
///                └─ waits ─┘
/// ```
///
/// No skew is left, and no other wait state shows.
#[property(
    finds = WaitAtNxN,
    at = "MPI_Allreduce",
    each = r * (max(distribution) - distribution[i]),
    cause = if alone(distribution) { LackOfParallelism } else { LateArrival },
    min_ranks = 2
)]
pub fn imbalance_at_mpi_allreduce(
    /// Work of each rank in a repetition.
    #[default(Distribution::block2(0.01, 0.06))]
    distribution: Distribution,
    /// Number of repetitions.
    #[default(10)]
    r: usize,
    c: &dyn Communicator,
    balance: Balance,
) {
    Uneven { work: distribution, r }.run(balance, c, allreduce(c));
}
