//! Waiting for the last to reach an OpenMP barrier.

use ats_props::{Balance, Distribution, Team, Thread, par_do_omp_work, property};

use crate::family::uneven_team::UnevenTeam;

/// Threads wait at a barrier because their work is distributed unevenly.
///
/// In one parallel region, every thread works for its share of `distribution` and enters the barrier, which none
/// leaves before the last has come.
///
/// ```text
/// low   ├─ low ──┬─ barrier ···········┤
/// high  ├─ high ─┼─────────┬─ barrier ─┤
///                └─ waits ─┘
/// ```
///
/// The barrier evens everything out: no thread waits at the end of the region, and no other wait state shows.
#[property(
    finds = WaitAtExplicitOmpBarrier,
    at = "!$omp parallel/!$omp barrier",
    each = r * (max(distribution) - distribution[t]),
    cause = UnevenTeam,
    min_threads = 2,
    c = "imbalance_at_omp_barrier.c"
)]
pub fn imbalance_at_omp_barrier(
    /// Work of each thread in a repetition.
    #[default(Distribution::block2(0.01, 0.06))]
    distribution: Distribution,
    /// Number of repetitions.
    #[default(10)]
    r: usize,
    team: &impl Team,
    balance: Balance,
) {
    UnevenTeam { work: distribution, r }.run(balance, team, |t, work| {
        par_do_omp_work(work, 1.0, t);
        t.barrier();
    });
}
