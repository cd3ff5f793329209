//! Waiting for the last to start a non-blocking n-to-n operation that exchanges.

use ats_mpi::Op;
use ats_props::{Balance, Communicator, Distribution, Seconds, property};

use crate::family::started::overlapping;
use crate::family::uneven::Uneven;

/// Ranks start to exchange blocks with all others and work on, but not for so long as the last to start is late.
///
/// Every rank works for its share of `distribution`, starts an exchange of a block with every other rank, works `overlap`
/// and waits for the blocks, one of them from the last to start.
///
/// ```text
/// low   ├─ low ─┬─ overlap ─┬─ MPI_Wait ┤
/// high  ├─ high ┼───────────┼───────────┬─ overlap ─┬─ MPI_Wait ┤
///        MPI_Ialltoall      └─── waits ─┘
/// ```
///
/// A rank with less work gains on the last one by the overlap, once: from then on it waits in each repetition for the
/// whole difference. No other wait state shows.
///
/// A library that makes progress only inside of calls may let ranks go later. Then each repetition hides the overlap
/// anew, and ranks wait less.
#[property(
    finds = WaitAtNonblockingNxN,
    at = "MPI_Wait",
    each = max(0, r * (max(distribution) - distribution[i]) - overlap),
    cause = if alone(distribution) { LackOfParallelism } else { LateArrival },
    min_ranks = 2
)]
pub fn imbalance_at_ialltoall(
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
    let (send, recv) = (c.base_buf_per_rank(), c.base_buf_per_rank());
    Uneven { work: distribution, r }.run(balance, c, overlapping(Op::Alltoall { send, recv }, overlap, c));
}
