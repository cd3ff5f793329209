//! A root that waits for others to start a non-blocking reduction.

use ats_mpi::{Op, ReduceOp};
use ats_props::{Balance, Communicator, Seconds, property};

use crate::family::rooted::Rooted;
use crate::family::started::overlapping;

/// A root starts a reduction and works on, but not for so long as the other ranks are late.
///
/// The root works `rootwork`, the others `rootwork` + `baseextrawork`; then each rank starts a reduction, works `overlap` and
/// waits. The root has to wait for the others. They leave their data and go on.
///
/// ```text
/// root    ├─ work ┬─ overlap ─┬─ MPI_Wait ┤
/// others  ├─ work ┬─ extra ───┼───────────┬─ overlap ─┬─ MPI_Wait ┤
///           MPI_Ireduce       └─── waits ─┘
/// ```
///
/// The root gains on the others by the overlap, once. No other wait state shows.
///
/// A library that makes progress only inside of calls may let ranks go later. Then each repetition hides the overlap
/// anew, and ranks wait less.
#[property(
    finds = EarlyNonblockingReduce,
    at = "MPI_Wait",
    each = if i == root % P { max(0, r * baseextrawork - overlap) },
    cause = UnevenWork,
    min_ranks = 2
)]
pub fn early_ireduce(
    /// Work of the root in a repetition, before it starts the operation.
    #[default(Seconds(0.01))]
    rootwork: Seconds,
    /// Extra work of the others: how early the root comes.
    #[default(Seconds(0.05))]
    baseextrawork: Seconds,
    /// Work of every rank between the start and `MPI_Wait`.
    #[default(Seconds(0.02))]
    overlap: Seconds,
    /// The root's rank; counted modulo the number of ranks.
    #[default(0)]
    root: usize,
    /// Number of repetitions.
    #[default(10)]
    r: usize,
    c: &dyn Communicator,
    balance: Balance,
) {
    let work = Rooted { of_root: rootwork.0, of_others: rootwork.0 + baseextrawork.0, root, r };
    work.run(balance, c, |root, c| {
        let recv = (c.rank() == root).then(|| c.base_buf());
        overlapping(Op::Reduce { root, op: ReduceOp::Min, send: c.base_buf(), recv }, overlap, c)
    });
}
