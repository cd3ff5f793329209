//! Imbalance among threads and among processes, at two barriers.

use ats_props::{Communicator, Distribution, Team, Thread, do_work, property};

/// Processes wait at an MPI barrier for the slowest thread of all.
///
/// Thread t of rank p works for its share of `threadwork` and the rank's share of `processwork` in a parallel region,
/// which ends with the slowest thread of the rank; then the masters meet at an MPI barrier, which ends with the slowest
/// rank.
///
/// ```text
///               │ parallel                                    │
/// fast, master  ├─ work ─┬─ implicit barrier ·┬─ MPI_Barrier ·┼─┤
///       other   ├─ work ──────────────────────┼·· idle ·········┤
/// slow, master  ├─ work ────────┬─ implicit barrier ··········┼─┤
///       other   ├─ work ──────────────────────────────────────┼─┤
/// ```
///
/// One cause under three names. The threads wait at the end of the region, at its implicit barrier, `P·r·S(threadwork)`
/// in all; the masters wait in `MPI_Barrier`; and each other thread is idle for as long as its master waits there,
/// `(T−1)·r·S(processwork)` in all. The MPI barrier evens everything out.
#[property(
    finds = WaitAtBarrier,
    formula = "W = r·S(processwork), S = Σ(max w − wᵢ)",
    cause = LateArrival,
    cause = LackOfParallelism,
    min_ranks = 2,
    min_threads = 2,
    c = "omp_imbalance_at_mpi_barrier.c"
)]
pub fn omp_imbalance_at_mpi_barrier(
    /// Work of every thread of a rank in a repetition.
    #[default(Distribution::block2(0.01, 0.06))]
    processwork: Distribution,
    /// Additional work of a thread of any rank.
    #[default(Distribution::block2(0.01, 0.06))]
    threadwork: Distribution,
    /// Number of repetitions.
    #[default(10)]
    r: usize,
    c: &dyn Communicator,
    team: &impl Team,
) {
    work_and_meet(&processwork, &threadwork, r, c, team);
}

/// All ranks and all their threads have the mean.
pub fn balanced(
    processwork: Distribution,
    threadwork: Distribution,
    r: usize,
    c: &dyn Communicator,
    team: &impl Team,
) {
    work_and_meet(&processwork.balanced(c.size()), &threadwork.balanced(team.max_threads()), r, c, team);
}

fn work_and_meet(
    processwork: &Distribution,
    threadwork: &Distribution,
    r: usize,
    c: &dyn Communicator,
    team: &impl Team,
) {
    let of_rank = processwork.value(c.rank(), c.size(), 1.0);
    for _ in 0..r {
        team.parallel(team.max_threads(), |t| {
            do_work(of_rank + threadwork.value(t.number(), t.threads(), 1.0));
        });
        c.barrier();
    }
}

#[cfg(test)]
mod tests {
    use ats_model::WaitState;

    use super::*;
    use crate::testing::{DISTRIBUTIONS, Shows, assert_shows, assert_silent_at, sizes};

    const END: [&str; 3] = ["omp_imbalance_at_mpi_barrier", "!$omp parallel", "!$omp implicit barrier"];
    const BARRIER: [&str; 2] = ["omp_imbalance_at_mpi_barrier", "MPI_Barrier"];

    #[test]
    fn waits_are_those_of_the_closed_form() {
        for (processes, threads) in DISTRIBUTIONS.iter().zip(DISTRIBUTIONS.iter().rev()) {
            let of_process: Distribution = processes.parse().unwrap();
            let of_thread: Distribution = threads.parse().unwrap();
            for size in sizes() {
                let lacks =
                    |work: &Distribution, me, size| 3.0 * (work.max(size, 1.0) - work.value(me, size, 1.0));
                let end = |_, thread| lacks(&of_thread, thread, size.1);
                let at_barrier = |rank, here| if here { lacks(&of_process, rank, size.0) } else { 0.0 };
                let master = |rank, thread| at_barrier(rank, thread == 0);
                let others = |rank, thread| at_barrier(rank, thread > 0);
                let shows = [
                    Shows {
                        state: Some(WaitState::WaitAtImplicitOmpBarrier),
                        call_path: &END,
                        seconds: &end,
                    },
                    Shows { state: Some(WaitState::WaitAtBarrier), call_path: &BARRIER, seconds: &master },
                    Shows { state: Some(WaitState::IdleThreads), call_path: &BARRIER, seconds: &others },
                ];
                let given = [("processwork", *processes), ("threadwork", *threads), ("r", "3")];
                assert_shows(&PROPERTY, size, &given, &shows);
            }
        }
    }

    #[test]
    fn its_twin_shows_nothing() {
        for (processes, threads) in DISTRIBUTIONS.iter().zip(DISTRIBUTIONS.iter().rev()) {
            let given = [("processwork", *processes), ("threadwork", *threads), ("r", "2")];
            sizes().for_each(|size| assert_silent_at(&PROPERTY, size, &given));
        }
    }
}
