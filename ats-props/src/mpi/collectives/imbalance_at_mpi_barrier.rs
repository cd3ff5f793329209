//! Waiting for the last to reach a barrier.

use ats_props::{Balance, Communicator, Distribution, property};

use crate::family::uneven::Uneven;

/// Ranks wait at a barrier because their work is distributed unevenly.
///
/// Every rank works for its share of `distribution` and enters the barrier, which none leaves before the last has
/// come.
///
/// ```text
/// low   ├─ low ──┬─ MPI_Barrier ·········┤
/// high  ├─ high ─┼─────────┬─ MPI_Barrier┤
///                └─ waits ─┘
/// ```
///
/// The barrier evens everything out: no skew is left, and no other wait state shows.
#[property(
    finds = WaitAtBarrier,
    at = "MPI_Barrier",
    each = r * (max(distribution) - distribution[i]),
    cause = if alone(distribution) { LackOfParallelism } else { LateArrival },
    min_ranks = 2
)]
pub fn imbalance_at_mpi_barrier(
    /// Work of each rank in a repetition.
    #[default(Distribution::block2(0.01, 0.06))]
    distribution: Distribution,
    /// Number of repetitions.
    #[default(10)]
    r: usize,
    c: &dyn Communicator,
    balance: Balance,
) {
    Uneven { work: distribution, r }.run(balance, c, || c.barrier());
}
