//! Waiting for the last to reach an n-to-n operation with a part of its own size and type for every rank.

use ats_mpi::Op;
use ats_props::{Balance, Communicator, Distribution, property};

use crate::family::uneven::{Irregular, Uneven, calls};

/// Ranks wait in an exchange of unequal parts because their work is distributed unevenly.
///
/// Every rank works for its share of `distribution` and exchanges parts of unequal size with every other: one default
/// block for even ranks, two for odd ones.
///
/// ```text
/// low   ├─ low ──┬─ MPI_Alltoallw ·········┤
/// high  ├─ high ─┼─────────┬─ MPI_Alltoallw┤
///                └─ waits ─┘
/// ```
///
/// Every rank sends to all, so none can leave before the last has come. No tool of the field has a wait state for it:
/// the time is in the call. No skew is left, and no other wait state shows.
#[property(
    finds = WaitAtIrregularNxN,
    at = "MPI_Alltoallw",
    each = r * (max(distribution) - distribution[i]),
    cause = if alone(distribution) { LackOfParallelism } else { LateArrival },
    min_ranks = 2
)]
pub fn imbalance_at_mpi_alltoallw(
    /// Work of each rank in a repetition.
    #[default(Distribution::block2(0.01, 0.06))]
    distribution: Distribution,
    /// Number of repetitions.
    #[default(10)]
    r: usize,
    c: &dyn Communicator,
    balance: Balance,
) {
    let Irregular { send, send_counts, recv, recv_counts } = Irregular::new(c);
    Uneven { work: distribution, r }.run(
        balance,
        c,
        calls(Op::Alltoallw { send, send_counts, recv, recv_counts }, c),
    );
}
