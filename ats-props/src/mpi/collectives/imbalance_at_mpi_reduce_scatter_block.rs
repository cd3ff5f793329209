//! Waiting for the last to reach an n-to-n operation that combines and scatters equal blocks.

use ats_mpi::{Op, ReduceOp};
use ats_props::{Balance, Communicator, Distribution, property};

use crate::family::uneven::{Uneven, calls};

/// Ranks wait in a reduce-scatter of equal blocks because their work is distributed unevenly.
///
/// Every rank works for its share of `distribution`, and then the values of all are combined, and every rank gets a
/// default block of the result.
///
/// ```text
/// low   ├─ low ──┬─ MPI_Reduce_scatter_block ·········┤
/// high  ├─ high ─┼─────────┬─ MPI_Reduce_scatter_block┤
///                └─ waits ─┘
/// ```
///
/// Every block of the result needs the values of the last to come. No skew is left, and no other wait state shows.
#[property(
    finds = WaitAtNxN,
    at = "MPI_Reduce_scatter_block",
    each = r * (max(distribution) - distribution[i]),
    cause = if alone(distribution) { LackOfParallelism } else { LateArrival },
    min_ranks = 2
)]
pub fn imbalance_at_mpi_reduce_scatter_block(
    /// Work of each rank in a repetition.
    #[default(Distribution::block2(0.01, 0.06))]
    distribution: Distribution,
    /// Number of repetitions.
    #[default(10)]
    r: usize,
    c: &dyn Communicator,
    balance: Balance,
) {
    let (send, recv) = (c.base_buf_per_rank(), c.base_buf());
    Uneven { work: distribution, r }.run(
        balance,
        c,
        calls(Op::ReduceScatterBlock { op: ReduceOp::Min, send, recv }, c),
    );
}
