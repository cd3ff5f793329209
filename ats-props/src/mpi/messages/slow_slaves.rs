//! A master that waits for its slaves, and fast slaves that wait for it.

use ats_mpi::{Communicator, SendMode, mpi_commpattern_all_to_one, mpi_commpattern_one_to_all};
use ats_props::{Distribution, Seconds, do_work, property};

use crate::family::between::Between;
use crate::family::hub;

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
/// left max(M, `masterwork`) − w ahead. Where a slower slave comes first, the master's wait for it is one in the wrong order. No
/// other wait state shows. Needs eager sends, which is probed at run time.
#[property(
    finds = LateSender,
    formula = "W = r·max(0, M − masterwork) at rank 0, M = max w of the others, and (r−1)·(max(M, masterwork) − w) at each of them",
    cause = BusyWorkers,
    cause = BusyMaster,
    cause = WrongOrder,
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
) {
    work(distribution, masterwork, r).run(c, tasks(c));
}

/// Every rank works the mean, and finishes it before the tasks.
pub fn balanced(distribution: Distribution, masterwork: Seconds, r: usize, c: &dyn Communicator) {
    work(distribution, masterwork, r).balanced(c, tasks(c));
}

fn work(distribution: Distribution, masterwork: Seconds, r: usize) -> Between {
    Between { before: Distribution::same(0.0), between: hub::work(masterwork.0, distribution), r }
}

fn tasks(c: &dyn Communicator) -> impl Fn(f64) {
    let buf = c.base_buf();
    move |work| {
        mpi_commpattern_one_to_all(&buf, 0.0, SendMode::Standard, c);
        do_work(work);
        mpi_commpattern_all_to_one(&buf, SendMode::Standard, c);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::WaitState;
    use crate::testing::{DISTRIBUTIONS, RANKS, Shows, assert_shows, assert_silent};

    #[test]
    fn the_master_waits_for_the_slowest_and_the_others_for_it() {
        for text in DISTRIBUTIONS {
            let distribution: Distribution = text.parse().unwrap();
            for (ranks, master) in RANKS.into_iter().flat_map(|ranks| [(ranks, "10ms"), (ranks, "30ms")]) {
                let masters = if master == "10ms" { 0.01 } else { 0.03 };
                let slaves: Vec<f64> = distribution.values(ranks, 1.0).skip(1).collect();
                let (mut now, mut in_order, mut wrong_order) = (masters, 0.0, 0.0);
                for (index, &slave) in slaves.iter().enumerate() {
                    let is_wrong = slaves[index..].iter().any(|&later| later < slave);
                    *if is_wrong { &mut wrong_order } else { &mut in_order } += f64::max(0.0, slave - now);
                    now = now.max(slave);
                }
                let for_master =
                    |rank: usize, _| if rank == 0 { 0.0 } else { 4.0 * (now - slaves[rank - 1]) };
                let for_slave = |rank, _| if rank == 0 { 5.0 * in_order } else { 0.0 };
                let wrong = |rank, _| if rank == 0 { 5.0 * wrong_order } else { 0.0 };
                let most = slaves.iter().copied().fold(masters, f64::max);
                assert!((in_order + wrong_order - (most - masters)).abs() < 1e-12);
                let given = [("distribution", text), ("masterwork", master), ("r", "5")];
                let tasks = &["slow_slaves", "mpi_commpattern_one_to_all", "MPI_Recv"];
                let call_path = &["slow_slaves", "mpi_commpattern_all_to_one", "MPI_Recv"];
                let shows = [
                    Shows { state: Some(WaitState::LateSender), call_path: tasks, seconds: &for_master },
                    Shows { state: Some(WaitState::LateSender), call_path, seconds: &for_slave },
                    Shows {
                        state: Some(WaitState::LateSenderWrongOrderDifferentSources),
                        call_path,
                        seconds: &wrong,
                    },
                ];
                assert_shows(&PROPERTY, (ranks, 1), &given, &shows);
                assert_silent(&PROPERTY, ranks, &given);
            }
        }
    }
}
