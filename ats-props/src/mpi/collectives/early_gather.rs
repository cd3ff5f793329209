//! A root that waits for its senders in MPI_Gather.

use ats_props::{Balance, Communicator, Seconds, property};

use crate::family::rooted::Rooted;

/// A root waits for the data of ranks that have more to do.
///
/// The root works `rootwork`, the others `rootwork` + `baseextrawork`; then it gathers a block of each, and the root has to wait for them.
/// The others leave their data and go on.
///
/// ```text
/// root    ├─ work ─┬─ MPI_Gather ············┤
/// others  ├─ work ─┼─ extra ─┬─ MPI_Gather ──┤
///                  └─ waits ─┘
/// ```
///
/// One rank waits, so with the same numbers the severity is P−1 times smaller than that of a late broadcast. Keep the
/// blocks small: large ones are not sent before the root has come.
#[property(
    finds = EarlyReduce,
    at = "MPI_Gather",
    each = if i == root % P { r * baseextrawork },
    cause = UnevenWork,
    min_ranks = 2
)]
pub fn early_gather(
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
        let own = c.base_buf();
        let all = (c.rank() == root).then(|| c.base_buf_per_rank());
        move || c.gather(root, &own, all.as_ref())
    });
}
