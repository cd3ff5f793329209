//! Waiting for a late root in MPI_Scatterv.

use ats_mpi::BaseComm;
use ats_props::{Balance, Communicator, Distribution, Seconds, property};

use crate::family::rooted::Rooted;

/// Ranks wait for the data of a root that has more to do.
///
/// The root works `basework` + `rootextrawork`, the others `basework`; then it scatters a part to each, and the others
/// have to wait for the root. The root does not wait.
///
/// ```text
/// root    ├─ base ─┬─ extra ─┬─ MPI_Scatterv ─┤
/// others  ├─ base ─┼─ MPI_Scatterv ···········┤
///                  └─ waits ─┘
/// ```
///
/// All parts have the default size; a rank whose part were empty would show no wait state in Scalasca. No other wait
/// state shows.
#[property(
    finds = LateBroadcast,
    formula = (P - 1) * r * rootextrawork,
    at = "MPI_Scatterv",
    each = if i != root % P { r * rootextrawork },
    cause = if P > 2 { LackOfParallelism } else { UnevenWork },
    min_ranks = 2
)]
pub fn late_scatterv(
    /// Work of every rank in a repetition.
    #[default(Seconds(0.01))]
    basework: Seconds,
    /// Extra work of the root: its delay.
    #[default(Seconds(0.05))]
    rootextrawork: Seconds,
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
        let BaseComm { datatype, count } = c.base_comm();
        let buf = c.alloc_mpi_vbuf(datatype, &Distribution::same(count as f64), root);
        move || c.scatterv(&buf)
    });
}
