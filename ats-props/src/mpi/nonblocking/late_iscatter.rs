//! Waiting for a late root of a non-blocking scatter.

use ats_mpi::Op;
use ats_props::{Balance, Communicator, Seconds, property};

use crate::family::rooted::Rooted;
use crate::family::started::overlapping;

/// Ranks start to receive their block and work on, but not for so long as its root is late.
///
/// The root works `basework` + `rootextrawork`, the others `basework`; then each rank starts the scatter, works `overlap` and
/// waits. The others have to wait for the root. The root does not wait.
///
/// ```text
/// root    ├─ base ┬─ extra ───────────────┬─ overlap ─┬─ MPI_Wait ┤
/// others  ├─ base ┬─ overlap ─┬─ MPI_Wait ┤
///           MPI_Iscatter      ├── waits ──┘
/// ```
///
/// Only the root has the send buffer. The others gain on the root by the overlap, once. No other wait state shows.
///
/// A library that makes progress only inside of calls may let ranks go later. Then each repetition hides the overlap
/// anew, and ranks wait less.
#[property(
    finds = LateNonblockingBroadcast,
    formula = (P - 1) * max(0, r * rootextrawork - overlap),
    at = "MPI_Wait",
    each = if i != root % P { max(0, r * rootextrawork - overlap) },
    cause = if P > 2 { LackOfParallelism } else { UnevenWork },
    min_ranks = 2
)]
pub fn late_iscatter(
    /// Work of every rank in a repetition, before it starts the operation.
    #[default(Seconds(0.01))]
    basework: Seconds,
    /// Extra work of the root: its delay.
    #[default(Seconds(0.05))]
    rootextrawork: Seconds,
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
    let work = Rooted { of_root: basework.0 + rootextrawork.0, of_others: basework.0, root, r };
    work.run(balance, c, |root, c| {
        let send = (c.rank() == root).then(|| c.base_buf_per_rank());
        overlapping(Op::Scatter { root, send, recv: c.base_buf() }, overlap, c)
    });
}
