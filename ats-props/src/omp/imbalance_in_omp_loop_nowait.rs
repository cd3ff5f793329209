//! Loops without barriers, whose imbalance adds up.

use ats_props::{Distribution, Schedule, Team, Thread, do_work, property};

/// Threads wait at the end of a parallel region for what several loops with `nowait` have left uneven.
///
/// As [`super::imbalance_in_omp_loop`], but the loops have no barriers: every thread goes on to the next one, and all
/// that it is early by then shows at the end of the region, at once.
///
/// ```text
///        │ parallel                                   │
/// low    ├─ low ──┬─ low ──┬─ implicit barrier ·······┤
/// high   ├─ high ──────────┼─ high ─────────┬─────────┤
///                          └─ waits ────────┘
/// ```
///
/// One wait for each thread, however many repetitions. The loops themselves show nothing.
#[property(
    finds = WaitAtImplicitOmpBarrier,
    formula = "W = r·S, S = Σ(max w − wᵢ)",
    min_threads = 2,
    c = "imbalance_in_omp_loop_nowait.c"
)]
pub fn imbalance_in_omp_loop_nowait(
    /// Which iteration works how long.
    #[default(Distribution::block2(0.01, 0.06))]
    distribution: Distribution,
    /// Repetitions: loops in the region.
    #[default(10)]
    r: usize,
    team: &impl Team,
) {
    loops_nowait(&distribution, r, team);
}

/// Every iteration has the mean.
pub fn balanced(distribution: Distribution, r: usize, team: &impl Team) {
    loops_nowait(&distribution.balanced(team.max_threads()), r, team);
}

fn loops_nowait(work: &Distribution, r: usize, team: &impl Team) {
    team.parallel(team.max_threads(), |t| {
        let threads = t.threads();
        for _ in 0..r {
            t.for_each_nowait(threads, Schedule::StaticChunk(1), |i| do_work(work.value(i, threads, 1.0)));
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{DISTRIBUTIONS, assert_team_silent, assert_team_waits};

    #[test]
    fn waits_are_those_of_the_closed_form() {
        for text in DISTRIBUTIONS {
            let work: Distribution = text.parse().unwrap();
            for threads in 1..=17 {
                let waits = |thread| 3.0 * (work.max(threads, 1.0) - work.value(thread, threads, 1.0));
                let given = [("distribution", text), ("r", "3")];
                let call_path = ["imbalance_in_omp_loop_nowait", "!$omp parallel", "!$omp implicit barrier"];
                assert_team_waits(&PROPERTY, threads, &given, &call_path, waits);
            }
        }
    }

    #[test]
    fn its_twin_shows_nothing() {
        for text in DISTRIBUTIONS {
            (1..=17).for_each(|threads| assert_team_silent(&PROPERTY, threads, &[("distribution", text)]));
        }
    }
}
