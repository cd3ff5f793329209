//! Waiting for the last at the end of a parallel region.

use ats_props::{Balance, Distribution, Team, par_do_omp_work, property};

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
    at = "!$omp parallel/!$omp implicit barrier",
    each = r * (max(distribution) - distribution[t]),
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
    balance: Balance,
) {
    let work = balance.share(distribution, team.max_threads());
    for _ in 0..r {
        team.parallel(team.max_threads(), |t| par_do_omp_work(&work, 1.0, t));
    }
}
