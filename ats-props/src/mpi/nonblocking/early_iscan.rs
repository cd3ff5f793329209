//! Ranks that wait for lower ones to start a non-blocking prefix operation.

use ats_mpi::{Op, ReduceOp};
use ats_props::{Balance, Communicator, Distribution, Seconds, property};

use crate::family::started::overlapping;
use crate::family::uneven::{Uneven, all_for_one};

/// Ranks start a prefix reduction and work on, but not for so long as lower ranks are late to start it.
///
/// Every rank works for its share of `distribution`, starts a prefix reduction, works `overlap` and waits for the least of
/// its own and all lower ranks' values.
///
/// ```text
/// rank 0  ├─ high ┼───────────┼───────────┬─ overlap ─┬─ MPI_Wait ┤
/// rank 1  ├─ low ─┬─ overlap ─┬─ MPI_Wait ┤
///             MPI_Iscan       └─── waits ─┘
/// ```
///
/// Rank 0 never waits, and ranks that have more to do than all lower ones do not either. A rank gains on the lower ones by
/// the overlap, once: from then on it waits in each repetition for the whole difference. No other wait state shows.
///
/// A library that makes progress only inside of calls may let ranks go later. Then each repetition hides the overlap
/// anew, and ranks wait less.
#[property(
    finds = EarlyNonblockingScan,
    at = "MPI_Wait",
    each = max(0, r * (max(0..=i, |j| distribution[j]) - distribution[i]) - overlap),
    cause = if all_for_one(distribution, overlap / r) { LackOfParallelism } else { UnevenWork },
    min_ranks = 2
)]
pub fn early_iscan(
    /// Work of each rank in a repetition, before it starts the operation.
    #[default(Distribution::linear(0.06, 0.01))]
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
        overlapping(Op::Scan { op: ReduceOp::Min, send, recv }, overlap, c),
    );
}
