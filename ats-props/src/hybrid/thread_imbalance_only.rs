//! Threads that are uneven, in processes that are not.

use ats_props::{Communicator, Distribution, Team, par_do_omp_work, property};

/// Threads wait at the end of a parallel region because their work is distributed unevenly, but alike in all processes.
///
/// Every thread works for its share of `distribution` in a parallel region; then the masters meet at an MPI barrier. Its
/// counterpart is [`super::process_imbalance_only`]: an analysis has to tell them apart.
///
/// ```text
///       │ parallel                    │
/// low   ├─ low ──┬─ implicit barrier ·┼─ MPI_Barrier ─┤
/// high  ├─ high ─┼─────────┬──────────┤
///                └─ waits ─┘
/// ```
///
/// All ranks take equally long: no rank waits in `MPI_Barrier`, and no thread is idle meanwhile.
#[property(
    finds = WaitAtImplicitOmpBarrier,
    formula = "W = P·r·S, S = Σ(max w − wᵢ) over the threads of a rank",
    cause = UnevenTeam,
    min_threads = 2,
    c = "thread_imbalance_only.c"
)]
pub fn thread_imbalance_only(
    /// Work of each thread of a rank in a repetition.
    #[default(Distribution::block2(0.01, 0.06))]
    distribution: Distribution,
    /// Number of repetitions.
    #[default(10)]
    r: usize,
    c: &dyn Communicator,
    team: &impl Team,
) {
    work_and_meet(&distribution, r, c, team);
}

/// Every thread has the mean.
pub fn balanced(distribution: Distribution, r: usize, c: &dyn Communicator, team: &impl Team) {
    work_and_meet(&distribution.balanced(team.max_threads()), r, c, team);
}

fn work_and_meet(work: &Distribution, r: usize, c: &dyn Communicator, team: &impl Team) {
    for _ in 0..r {
        team.parallel(team.max_threads(), |t| par_do_omp_work(work, 1.0, t));
        c.barrier();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{DISTRIBUTIONS, Shows, assert_shows, assert_silent_at, sizes};

    const END: [&str; 3] = ["thread_imbalance_only", "!$omp parallel", "!$omp implicit barrier"];

    #[test]
    fn waits_are_those_of_the_closed_form() {
        for text in DISTRIBUTIONS {
            let work: Distribution = text.parse().unwrap();
            for size in sizes() {
                let waits = |_, thread| 3.0 * (work.max(size.1, 1.0) - work.value(thread, size.1, 1.0));
                let shows = [Shows { state: PROPERTY.finds.wait_state(), call_path: &END, seconds: &waits }];
                assert_shows(&PROPERTY, size, &[("distribution", text), ("r", "3")], &shows);
            }
        }
    }

    #[test]
    fn its_twin_shows_nothing() {
        for text in DISTRIBUTIONS {
            let given = [("distribution", text), ("r", "2")];
            sizes().for_each(|size| assert_silent_at(&PROPERTY, size, &given));
        }
    }
}
