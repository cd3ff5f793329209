//! Ranks that wait for lower ones in MPI_Exscan.

use ats_mpi::{Op, ReduceOp};
use ats_props::{Balance, Communicator, Distribution, property};

use crate::family::uneven::{Uneven, all_for_one, calls};

/// Ranks wait in an exclusive prefix reduction for those lower ranks that have more to do.
///
/// As [`super::early_scan`], but every rank gets the least of all lower ranks' values without its own; rank 0 gets
/// nothing.
///
/// ```text
/// rank 0  ├─ high ────────┬─ MPI_Exscan ─┤
/// rank 1  ├─ low ─┬─ MPI_Exscan ·········┤
///                 └─waits─┘
/// ```
///
/// Waits are those of `MPI_Scan`. Rank i is left `r`·(max w − max w up to rank
/// i) ahead of the last. No other wait state shows. A library may have all ranks wait for each other here; that time is in the
/// call, but not in the wait state.
#[property(
    finds = EarlyScan,
    at = "MPI_Exscan",
    each = r * (max(0..=i, |j| distribution[j]) - distribution[i]),
    cause = if all_for_one(distribution, 0) { LackOfParallelism } else { UnevenWork },
    min_ranks = 2
)]
pub fn early_exscan(
    /// Work of each rank in a repetition.
    #[default(Distribution::block2(0.06, 0.01))]
    distribution: Distribution,
    /// Number of repetitions.
    #[default(10)]
    r: usize,
    c: &dyn Communicator,
    balance: Balance,
) {
    Uneven { work: distribution, r }.run(
        balance,
        c,
        calls(Op::Exscan { op: ReduceOp::Min, send: c.base_buf(), recv: c.base_buf() }, c),
    );
}
