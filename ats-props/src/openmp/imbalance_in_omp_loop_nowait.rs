//! Loops without barriers, whose imbalance adds up.

use ats_props::{Balance, Distribution, Schedule, Team, Thread, property};

use crate::family::uneven_team::{UnevenTeam, shares};

/// Threads wait at the end of a parallel region for the imbalance left by several loops with `nowait`.
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
    at = "!$omp parallel/!$omp implicit barrier",
    each = r * (max(distribution) - distribution[t]),
    cause = if idle(distribution) { FewPieces } else { UnevenTeam },
    min_threads = 2,
    c = "imbalance_in_omp_loop_nowait.c"
)]
pub fn imbalance_in_omp_loop_nowait(
    /// Work of each iteration.
    #[default(Distribution::block2(0.01, 0.06))]
    distribution: Distribution,
    /// Repetitions: loops in the region.
    #[default(10)]
    r: usize,
    team: &impl Team,
    balance: Balance,
) {
    UnevenTeam { work: distribution, r }.run(balance, team, |t, work| {
        t.for_each_nowait(t.threads(), Schedule::StaticChunk(1), shares(t, work));
    });
}
