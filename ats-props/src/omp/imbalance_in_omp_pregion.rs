//! Waiting for the last at the end of a parallel region.

use ats_props::{Distribution, Team, par_do_omp_work, property};

/// Threads wait at the end of a parallel region because their work is distributed unevenly.
///
/// Every thread of the region works for its share of `distribution`; the region ends when the last is done.
///
/// ```text
///        │ parallel                    │
/// low    ├─ low ──┬─ implicit barrier ·┤
/// high   ├─ high ─┼─────────┬──────────┤
///                 └─ waits ─┘
/// ```
///
/// Every repetition is a region of its own: with each comes a fork and a join, and nothing is left of the imbalance. No
/// other wait state shows.
#[property(
    finds = WaitAtImplicitOmpBarrier,
    formula = "W = r·S, S = Σ(max w − wᵢ)",
    min_threads = 2,
    c = "imbalance_in_omp_pregion.c"
)]
pub fn imbalance_in_omp_pregion(
    /// Which thread works how long in a region.
    #[default(Distribution::block2(0.01, 0.06))]
    distribution: Distribution,
    /// Repetitions.
    #[default(10)]
    r: usize,
    team: &impl Team,
) {
    work_in_regions(&distribution, r, team);
}

/// Everybody has the mean.
pub fn balanced(distribution: Distribution, r: usize, team: &impl Team) {
    work_in_regions(&distribution.balanced(team.max_threads()), r, team);
}

fn work_in_regions(work: &Distribution, r: usize, team: &impl Team) {
    for _ in 0..r {
        team.parallel(team.max_threads(), |t| par_do_omp_work(work, 1.0, t));
    }
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
                let call_path = ["imbalance_in_omp_pregion", "!$omp parallel", "!$omp implicit barrier"];
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
