//! A barrier before an operation that waits for all anyway.

use ats_mpi::ReduceOp;
use ats_props::{Balance, Communicator, Distribution, property};

use crate::family::uneven::Uneven;

/// Ranks wait at a barrier for nothing: the allreduce behind it waits for all itself.
///
/// Every rank works for its share of `distribution`, goes to a barrier, and then the values of all are combined for
/// all.
///
/// ```text
/// low   ├─ low ──┬─ MPI_Barrier ········┬─ MPI_Allreduce ─┤
/// high  ├─ high ─┼─────────┬ MPI_Barrier┬─ MPI_Allreduce ─┤
///                └─ waits ─┘
/// ```
///
/// The wait moves from the allreduce to the barrier, and does not get less: without the barrier the program is
/// `imbalance_at_mpi_allreduce`, which waits as long. No rank waits in the allreduce, no skew is left, and no other
/// wait state shows.
#[property(
    finds = WaitAtBarrier,
    at = "MPI_Barrier",
    each = r * (max(distribution) - distribution[i]),
    cause = if alone(distribution) { LackOfParallelism } else { LateArrival },
    min_ranks = 2
)]
pub fn redundant_barrier(
    /// Work of each rank in a repetition.
    #[default(Distribution::block2(0.01, 0.06))]
    distribution: Distribution,
    /// Number of repetitions.
    #[default(10)]
    r: usize,
    c: &dyn Communicator,
    balance: Balance,
) {
    let (send, recv) = (c.base_buf(), c.base_buf());
    let meet_and_combine = move || {
        c.barrier();
        c.allreduce(ReduceOp::Min, &send, &recv);
    };
    Uneven { work: distribution, r }.run(balance, c, meet_and_combine);
}
