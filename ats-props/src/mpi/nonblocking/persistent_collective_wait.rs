//! Waiting for the last to start a persistent n-to-n operation, prepared once and started again and again.

use ats_mpi::{Op, ReduceOp};
use ats_props::{Balance, Communicator, Distribution, Seconds, property};

use crate::family::started::overlapping_persistent;
use crate::family::uneven::Uneven;

/// Ranks start a prepared allreduce and work on, but not for so long as the last to start it is late.
///
/// Every rank prepares an allreduce. In each repetition it works for its share of `distribution`, starts the operation,
/// works `overlap` and waits for the result, which needs the value of the last to start.
///
/// ```text
/// low   ├─ low ─┬─ overlap ─┬─ MPI_Wait ┤
/// high  ├─ high ┼───────────┼───────────┬─ overlap ─┬─ MPI_Wait ┤
///            MPI_Start      └─── waits ─┘
/// ```
///
/// A rank with less work gains on the last one by the overlap, once: from then on it waits in each repetition for the
/// whole difference. No other wait state shows.
///
/// A library that makes progress only inside of calls may let ranks go later. Then each repetition hides the overlap
/// anew, and ranks wait less. A library without `MPI_Allreduce_init`, which came with MPI 4, cannot show it.
#[property(
    finds = WaitAtNonblockingNxN,
    at = "MPI_Wait",
    each = max(0, r * (max(distribution) - distribution[i]) - overlap),
    cause = if alone(distribution) { LackOfParallelism } else { LateArrival },
    min_ranks = 2
)]
pub fn persistent_collective_wait(
    /// Work of each rank in a repetition, before it starts the operation.
    #[default(Distribution::block2(0.01, 0.06))]
    distribution: Distribution,
    /// Work of every rank between the start and `MPI_Wait`.
    #[default(Seconds(0.02))]
    overlap: Seconds,
    /// Number of repetitions.
    #[default(10)]
    r: usize,
    c: &dyn Communicator,
    balance: Balance,
) {
    let (send, recv) = (c.base_buf(), c.base_buf());
    Uneven { work: distribution, r }.run(
        balance,
        c,
        overlapping_persistent(Op::Allreduce { op: ReduceOp::Min, send, recv }, overlap, c),
    );
}
