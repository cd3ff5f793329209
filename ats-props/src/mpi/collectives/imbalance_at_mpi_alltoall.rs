//! Waiting for the last to reach an n-to-n operation.

use ats_props::{Balance, Communicator, Distribution, property};

use crate::family::uneven::Uneven;

/// Ranks wait in an all-to-all because their work is distributed unevenly.
///
/// Every rank works for its share of `distribution` and exchanges a block with every other, which needs data of the
/// last to come.
///
/// ```text
/// low   ├─ low ──┬─ MPI_Alltoall ·········┤
/// high  ├─ high ─┼─────────┬─ MPI_Alltoall┤
///                └─ waits ─┘
/// ```
///
/// Keep the blocks small: a transfer that takes long by itself adds time that grows with the number of ranks. No skew
/// is left, and no other wait state shows.
#[property(
    finds = WaitAtNxN,
    at = "MPI_Alltoall",
    each = r * (max(distribution) - distribution[i]),
    cause = if alone(distribution) { LackOfParallelism } else { LateArrival },
    min_ranks = 2
)]
pub fn imbalance_at_mpi_alltoall(
    /// Work of each rank in a repetition.
    #[default(Distribution::block2(0.01, 0.06))]
    distribution: Distribution,
    /// Number of repetitions.
    #[default(10)]
    r: usize,
    c: &dyn Communicator,
    balance: Balance,
) {
    let (send, recv) = (c.base_buf_per_rank(), c.base_buf_per_rank());
    Uneven { work: distribution, r }.run(balance, c, move || c.alltoall(&send, &recv));
}
