//! An n-to-1 operation whose root comes late.

use ats_mpi::{Communicator, Datatype};
use ats_props::{Balance, Bytes, Distribution, Seconds, property};

use crate::family::rooted::Rooted;

/// Ranks wait for a root that has more to do before it can take their data.
///
/// The root works `basework` + `rootextrawork`, the others `basework`; then it gathers `bytes` from each.
///
/// ```text
/// others  ├─ base ─┬─ MPI_Gatherv ··········┤
/// root    ├─ base ─┼─ extra ─┬─ MPI_Gatherv ┤
///                  └─ waits ─┘
/// ```
///
/// That holds for more bytes than are sent eagerly; else no rank waits, and the others are left `r`·`rootextrawork`
/// ahead. Scalasca does not have this wait state: its reports have the time in `mpi_collective`. No other wait state
/// shows.
///
/// In `MPI_Gatherv` each rank sends to the root itself, since no other rank knows the amounts. Libraries make a tree
/// of an `MPI_Gather`, in which a rank with a free parent leaves its data there and goes on: Open MPI at 8 ranks and
/// 256 KiB, MPICH always.
#[property(
    finds = WaitForRoot,
    formula = if bytes > eager_limit { (P - 1) * r * rootextrawork },
    at = "MPI_Gatherv",
    each = if bytes > eager_limit && i != root % P { r * rootextrawork },
    cause = LateReceiver,
    min_ranks = 2
)]
pub fn late_reduce_root(
    /// Work of every rank in a repetition.
    #[default(Seconds(0.01))]
    basework: Seconds,
    /// Extra work of the root: its delay.
    #[default(Seconds(0.05))]
    rootextrawork: Seconds,
    /// Data that each rank sends.
    #[default(Bytes::Exactly(1 << 18))]
    bytes: Bytes,
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
        let buf = c.alloc_mpi_vbuf(Datatype::Byte, &Distribution::same(bytes.on(c) as f64), root);
        move || c.gatherv(&buf)
    });
}
