//! Waiting for a late root in MPI_Bcast.

use ats_props::{Balance, Communicator, Seconds, property};

use crate::family::rooted::{Rooted, broadcast};

/// Ranks wait for the data of a root that has more to do.
///
/// The root works `basework` + `rootextrawork`, the others `basework`; then it broadcasts a message, and the others
/// have to wait for the root. The root does not wait.
///
/// ```text
/// root    ├─ base ─┬─ extra ─┬─ MPI_Bcast ─┤
/// others  ├─ base ─┼─ MPI_Bcast ···········┤
///                  └─ waits ─┘
/// ```
///
/// The root counts in the communicator, not in the job. No other wait state shows.
#[property(
    finds = LateBroadcast,
    formula = (P - 1) * r * rootextrawork,
    at = "MPI_Bcast",
    each = if i != root % P { r * rootextrawork },
    cause = if P > 2 { LackOfParallelism } else { UnevenWork },
    min_ranks = 2
)]
pub fn late_broadcast(
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
    work.run(balance, c, broadcast);
}
