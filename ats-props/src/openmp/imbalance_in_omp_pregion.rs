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
    cause = UnevenTeam,
    min_threads = 2,
    c = "imbalance_in_omp_pregion.c"
)]
pub fn imbalance_in_omp_pregion(
    /// Work of each thread in a region.
    #[default(Distribution::block2(0.01, 0.06))]
    distribution: Distribution,
    /// Number of repetitions.
    #[default(10)]
    r: usize,
    team: &impl Team,
) {
    work_in_regions(&distribution, r, team);
}

/// Every thread has the mean.
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
    use crate::family::uneven_team::assert_waits_for_the_last;

    #[test]
    fn all_wait_for_the_last_and_in_the_twin_nobody() {
        assert_waits_for_the_last(&PROPERTY, &["!$omp implicit barrier"]);
    }
}
