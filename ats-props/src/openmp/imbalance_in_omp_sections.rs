//! Waiting for the longest section.

use ats_props::{Balance, Distribution, Team, Thread, property};

use crate::family::uneven_team::{UnevenTeam, shares};

/// Threads wait at the end of sections because these are unequal.
///
/// In one parallel region, there are as many sections as threads; section i works for the i-th share of
/// `distribution`.
///
/// ```text
///        │ sections                    │
/// low    ├─ low ──┬─ implicit barrier ·┤
/// high   ├─ high ─┼─────────┬──────────┤
///                 └─ waits ─┘
/// ```
///
/// The compiler assigns sections to threads: clang gives thread i section i, others give a section to the next thread
/// that asks, so it does not matter which threads wait. No other wait state shows.
#[property(
    finds = WaitAtImplicitOmpBarrier,
    at = "!$omp parallel/!$omp sections/!$omp implicit barrier",
    each = r * (max(distribution) - distribution[t]),
    cause = if idle(distribution) { FewPieces } else { UnevenTeam },
    min_threads = 2,
    c = "imbalance_in_omp_sections.c"
)]
pub fn imbalance_in_omp_sections(
    /// Work of each section.
    #[default(Distribution::block2(0.01, 0.06))]
    distribution: Distribution,
    /// Number of repetitions.
    #[default(10)]
    r: usize,
    team: &impl Team,
    balance: Balance,
) {
    UnevenTeam { work: distribution, r }.run(balance, team, |t, work| {
        t.sections(t.threads(), shares(t, work));
    });
}
