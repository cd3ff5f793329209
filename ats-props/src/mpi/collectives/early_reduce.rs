//! A root that waits for its senders in MPI_Reduce.

use ats_props::{Balance, Communicator, Seconds, property};

use crate::family::rooted::{Rooted, reduce};

/// A root waits for the data of ranks that have more to do.
///
/// The root works `rootwork`, the others `rootwork` + `baseextrawork`; then it reduces a value of each, and the root has to wait for them.
/// The others leave their data and go on.
///
/// ```text
/// root    ├─ work ─┬─ MPI_Reduce ············┤
/// others  ├─ work ─┼─ extra ─┬─ MPI_Reduce ──┤
///                  └─ waits ─┘
/// ```
///
/// One rank waits, so with the same numbers the severity is P−1 times smaller than that of a late broadcast. A library
/// that reduces by an allreduce makes all ranks wait.
#[property(
    finds = EarlyReduce,
    at = "MPI_Reduce",
    each = if i == root % P { r * baseextrawork },
    cause = UnevenWork,
    min_ranks = 2
)]
pub fn early_reduce(
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
    work.run(balance, c, reduce);
}
