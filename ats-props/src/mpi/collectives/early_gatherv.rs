//! A root that waits for its senders in MPI_Gatherv.

use ats_mpi::BaseComm;
use ats_props::{Balance, Communicator, Distribution, Seconds, property};

use crate::family::rooted::Rooted;

/// A root waits for the data of ranks that have more to do.
///
/// The root works `rootwork`, the others `rootwork` + `baseextrawork`; then it gathers a part of each, and the root has to wait for them.
/// The others leave their data and go on.
///
/// ```text
/// root    ├─ work ─┬─ MPI_Gatherv ············┤
/// others  ├─ work ─┼─ extra ─┬─ MPI_Gatherv ──┤
///                  └─ waits ─┘
/// ```
///
/// One rank waits, so with the same numbers the severity is P−1 times smaller than that of a late broadcast. Keep the
/// parts small: large ones are not sent before the root has come.
#[property(
    finds = EarlyReduce,
    at = "MPI_Gatherv",
    each = if i == root % P { r * baseextrawork },
    cause = UnevenWork,
    min_ranks = 2
)]
pub fn early_gatherv(
    /// Work of the root in a repetition.
    #[default(Seconds(0.01))]
    rootwork: Seconds,
    /// Extra work of the others: how early the root comes.
    #[default(Seconds(0.05))]
    baseextrawork: Seconds,
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
        let BaseComm { datatype, count } = c.base_comm();
        let buf = c.alloc_mpi_vbuf(datatype, &Distribution::same(count as f64), root);
        move || c.gatherv(&buf)
    });
}
