//! Waiting for the last to reach an OpenMP barrier.

use ats_props::{Distribution, Team, Thread, par_do_omp_work, property};

/// Threads wait at a barrier because their work is distributed unevenly.
///
/// In one parallel region, everybody works for its share of `distribution` and enters the barrier, which nobody leaves
/// before the last has come.
///
/// ```text
/// low   ├─ low ──┬─ barrier ···········┤
/// high  ├─ high ─┼─────────┬─ barrier ─┤
///                └─ waits ─┘
/// ```
///
/// The barrier evens everything out: nobody waits at the end of the region, and no other wait state shows.
#[property(
    finds = WaitAtExplicitOmpBarrier,
    formula = "W = r·S, S = Σ(max w − wᵢ)",
    min_threads = 2,
    c = "imbalance_at_omp_barrier.c"
)]
pub fn imbalance_at_omp_barrier(
    /// Which thread works how long in a repetition.
    #[default(Distribution::block2(0.01, 0.06))]
    distribution: Distribution,
    /// Repetitions.
    #[default(10)]
    r: usize,
    team: &impl Team,
) {
    work_and_meet(&distribution, r, team);
}

/// Everybody has the mean.
pub fn balanced(distribution: Distribution, r: usize, team: &impl Team) {
    work_and_meet(&distribution.balanced(team.max_threads()), r, team);
}

fn work_and_meet(work: &Distribution, r: usize, team: &impl Team) {
    team.parallel(team.max_threads(), |t| {
        for _ in 0..r {
            par_do_omp_work(work, 1.0, t);
            t.barrier();
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
                let call_path = ["imbalance_at_omp_barrier", "!$omp parallel", "!$omp barrier"];
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
