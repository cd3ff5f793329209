//! Waiting for the last to reach an n-to-n operation that combines and scatters parts of unequal size.

use ats_mpi::{BaseComm, Counts, Op, ReduceOp};
use ats_props::{Balance, Communicator, Distribution, property};

use crate::family::uneven::{Uneven, calls};

/// Ranks wait in a reduce-scatter because their work is distributed unevenly.
///
/// Every rank works for its share of `distribution`, and then the values of all are combined, and every rank gets a
/// part of the result: even ranks one default block, odd ones two.
///
/// ```text
/// low   ├─ low ──┬─ MPI_Reduce_scatter ·········┤
/// high  ├─ high ─┼─────────┬─ MPI_Reduce_scatter┤
///                └─ waits ─┘
/// ```
///
/// Every part of the result needs the values of the last to come. No skew is left, and no other wait state shows.
#[property(
    finds = WaitAtNxN,
    at = "MPI_Reduce_scatter",
    each = r * (max(distribution) - distribution[i]),
    cause = if alone(distribution) { LackOfParallelism } else { LateArrival },
    min_ranks = 2
)]
pub fn imbalance_at_mpi_reduce_scatter(
    /// Work of each rank in a repetition.
    #[default(Distribution::block2(0.01, 0.06))]
    distribution: Distribution,
    /// Number of repetitions.
    #[default(10)]
    r: usize,
    c: &dyn Communicator,
    balance: Balance,
) {
    let BaseComm { datatype, count } = c.base_comm();
    let counts = Counts::repeated([count, 2 * count], c.size());
    let send = c.alloc_mpi_buf(datatype, counts.sum());
    let recv = c.alloc_mpi_buf(datatype, count * (1 + c.rank() % 2));
    Uneven { work: distribution, r }.run(
        balance,
        c,
        calls(Op::ReduceScatter { op: ReduceOp::Min, send, recv, counts }, c),
    );
}
