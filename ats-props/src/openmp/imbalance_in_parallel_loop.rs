//! Waiting for the last at the end of a combined parallel loop.

use ats_props::{Balance, Distribution, Schedule, Team, Thread, property};

use crate::family::uneven_team::shares;

/// Threads wait at the end of a combined parallel loop because its iterations are unequal.
///
/// `r` times, a `parallel for` with `schedule(static, 1)` has as many iterations as there are threads; iteration i
/// works for the i-th share of `distribution`.
///
/// ```text
///        │ parallel for                │
/// low    ├─ low ──┬─ implicit barrier ·┤
/// high   ├─ high ─┼─────────┬──────────┤
///                 └─ waits ─┘
/// ```
///
/// The construct has one implicit barrier, that of the parallel region. Tools differ in whether region or loop is its
/// parent. No other wait state shows.
#[property(
    finds = WaitAtImplicitOmpBarrier,
    at = "!$omp parallel/!$omp implicit barrier",
    each = r * (max(distribution) - distribution[t]),
    cause = if idle(distribution) { FewPieces } else { UnevenTeam },
    min_threads = 2,
    c = "imbalance_in_parallel_loop.c"
)]
pub fn imbalance_in_parallel_loop(
    /// Work of each iteration.
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
        team.parallel(team.max_threads(), |t| {
            t.for_each_nowait(t.threads(), Schedule::StaticChunk(1), shares(t, &work));
        });
    }
}
