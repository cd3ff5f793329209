//! Waiting for the last to reach an n-to-n operation that collects parts of unequal size.

use ats_mpi::{BaseComm, Counts, Op};
use ats_props::{Balance, Communicator, Distribution, property};

use crate::family::uneven::{Uneven, calls};

/// Ranks wait in an allgatherv because their work is distributed unevenly.
///
/// Every rank works for its share of `distribution`, and then collects a part of every rank: one default block of even
/// ranks, two of odd ones.
///
/// ```text
/// low   ├─ low ──┬─ MPI_Allgatherv ·········┤
/// high  ├─ high ─┼─────────┬─ MPI_Allgatherv┤
///                └─ waits ─┘
/// ```
///
/// Every rank needs the part of the last to come, so none leaves before it. No skew is left, and no other wait state
/// shows.
#[property(
    finds = WaitAtNxN,
    at = "MPI_Allgatherv",
    each = r * (max(distribution) - distribution[i]),
    cause = if alone(distribution) { LackOfParallelism } else { LateArrival },
    min_ranks = 2
)]
pub fn imbalance_at_mpi_allgatherv(
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
    let send = c.alloc_mpi_buf(datatype, count * (1 + c.rank() % 2));
    let recv = c.alloc_mpi_buf(datatype, counts.sum());
    Uneven { work: distribution, r }.run(balance, c, calls(Op::Allgatherv { send, recv, counts }, c));
}
