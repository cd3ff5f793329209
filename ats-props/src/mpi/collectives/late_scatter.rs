//! Waiting for a late root in MPI_Scatter.

use ats_props::{Balance, Communicator, Seconds, property};

use crate::family::rooted::Rooted;

/// Ranks wait for the data of a root that has more to do.
///
/// The root works `basework` + `rootextrawork`, the others `basework`; then it scatters a block to each, and the
/// others have to wait for the root. The root does not wait.
///
/// ```text
/// root    ├─ base ─┬─ extra ─┬─ MPI_Scatter ─┤
/// others  ├─ base ─┼─ MPI_Scatter ···········┤
///                  └─ waits ─┘
/// ```
///
/// Only the root has the send buffer. No other wait state shows.
#[property(
    finds = LateBroadcast,
    formula = (P - 1) * r * rootextrawork,
    at = "MPI_Scatter",
    each = if i != root % P { r * rootextrawork },
    cause = if P > 2 { LackOfParallelism } else { UnevenWork },
    min_ranks = 2
)]
pub fn late_scatter(
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
        let all = (c.rank() == root).then(|| c.base_buf_per_rank());
        let own = c.base_buf();
        move || c.scatter(root, all.as_ref(), &own)
    });
}
