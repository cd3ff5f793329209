//! Waiting for the last at the end of a worksharing loop.

use ats_props::{Balance, Distribution, Schedule, Team, Thread, property};

use crate::family::uneven_team::{UnevenTeam, shares};

/// Threads wait at the end of a loop because its iterations are unequal.
///
/// In one parallel region, a worksharing loop has as many iterations as there are threads; iteration i works for the
/// i-th share of `distribution`. With `schedule(static, 1)` it is thread i that executes it.
///
/// ```text
///        │ for                         │
/// low    ├─ low ──┬─ implicit barrier ·┤
/// high   ├─ high ─┼─────────┬──────────┤
///                 └─ waits ─┘
/// ```
///
/// The loop's barrier evens everything out: no thread waits at the end of the region, and no other wait state shows.
#[property(
    finds = WaitAtImplicitOmpBarrier,
    at = "!$omp parallel/!$omp for/!$omp implicit barrier",
    each = r * (max(distribution) - distribution[t]),
    cause = if idle(distribution) { FewPieces } else { UnevenTeam },
    min_threads = 2,
    c = "imbalance_in_omp_loop.c"
)]
pub fn imbalance_in_omp_loop(
    /// Work of each iteration.
    #[default(Distribution::block2(0.01, 0.06))]
    distribution: Distribution,
    /// Number of repetitions.
    #[default(10)]
    r: usize,
    team: &impl Team,
    balance: Balance,
) {
    UnevenTeam { work: distribution, r }.run(balance, team, |t, work| {
        t.for_each(t.threads(), Schedule::StaticChunk(1), shares(t, work));
    });
}
