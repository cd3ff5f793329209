//! A master that waits for its slaves, and fast slaves that wait for it.

use ats_mpi::{Communicator, SendMode, mpi_commpattern_all_to_one, mpi_commpattern_one_to_all};
use ats_props::{Balance, Distribution, Seconds, do_work, property};

use crate::family::between::Between;
use crate::family::hub;
use crate::formula::Amounts;

/// A master waits for the results of the slowest of its slaves, and the others for the master.
///
/// Rank 0 sends a task to each of the others, works `masterwork` and collects the results, the lowest rank's first; the others work
/// for their shares of `distribution` on theirs.
///
/// ```text
/// rank 0  ┬ MPI_Send ┬─ masterwork ─┬─ MPI_Recv ·········┬ MPI_Send
/// fast    ┬ MPI_Recv ┬─ low ──────┬ MPI_Send ┬─ MPI_Recv ···┬ …
/// slow    ┬ MPI_Recv ┬─ high ──────────────────┬ MPI_Send ┬ …
///                    master waits   └──────────┘
/// ```
///
/// With w of work of a slave and M the most of all, a slave waits (r−1)·(max(M, `masterwork`) − w) for its further tasks, and is
/// left max(M, `masterwork`) − w ahead. Where a slower slave comes first, the master's wait for it is one in the wrong order;
/// `in_order` is its other wait in a repetition. No other wait state shows. Needs eager sends, which is probed at run time.
#[property(
    finds = LateSender,
    at = "mpi_commpattern_one_to_all/MPI_Recv",
    each = if i > 0 { (r - 1) * (max(masterwork, max(1..P, |j| distribution[j])) - distribution[i]) },
    at = "mpi_commpattern_all_to_one/MPI_Recv",
    each = if i == 0 { r * in_order(distribution, masterwork, P) },
    cause = if P < 4 {
        UnevenWork
    } else if max(1..P, |j| distribution[j]) > masterwork {
        BusyWorkers
    } else {
        BusyMaster
    },
    also = LateSenderWrongOrderDifferentSources,
    at = "mpi_commpattern_all_to_one/MPI_Recv",
    each = if i == 0 { r * (max(0, max(1..P, |j| distribution[j]) - masterwork) - in_order(distribution, masterwork, P)) },
    min_ranks = 2,
    send_mode = Standard
)]
pub fn slow_slaves(
    /// Work of each rank but 0 in a repetition.
    #[default(Distribution::linear(0.01, 0.06))]
    distribution: Distribution,
    /// Work of rank 0 in a repetition.
    #[default(Seconds(0.01))]
    masterwork: Seconds,
    /// Number of repetitions.
    #[default(10)]
    r: usize,
    c: &dyn Communicator,
    balance: Balance,
) {
    let between = hub::work(masterwork.0, distribution);
    let buf = c.base_buf();
    Between { before: Distribution::same(0.0), between, r }.run(balance, c, |work| {
        mpi_commpattern_one_to_all(&buf, 0.0, SendMode::Standard, c);
        do_work(work);
        mpi_commpattern_all_to_one(&buf, SendMode::Standard, c);
    });
}

/// The seconds that rank 0 waits in a repetition for those whose result no rank above has sent before.
fn in_order(work: Amounts<'_>, masterwork: f64, ranks: f64) -> f64 {
    let others: Vec<f64> = work.iter().take(ranks as usize).skip(1).collect();
    let (mut now, mut waits) = (masterwork, 0.0);
    for (index, &other) in others.iter().enumerate() {
        if others[index..].iter().all(|&later| later >= other) {
            waits += f64::max(0.0, other - now);
        }
        now = now.max(other);
    }
    waits
}
