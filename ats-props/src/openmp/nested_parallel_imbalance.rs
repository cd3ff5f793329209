//! Waiting at the end of nested parallel regions.

use ats_props::{Balance, Distribution, Team, par_do_omp_work, property};

/// Threads wait at the end of nested parallel regions because their work is distributed unevenly.
///
/// Every thread of an outer region starts inner regions of `inner` threads, which work for their shares of
/// `distribution`.
///
/// ```text
///         │ parallel                      │
///         │ │ parallel                    │
/// 0 low   │ ├─ low ──┬─ implicit barrier ·┤
///   high  │ ├─ high ─┼─────────┬──────────┤
/// 1 low   │ ├─ low ──┬─ implicit barrier ·┤
///   high  │ ├─ high ─┼─────────┬──────────┤
///                    └─ waits ─┘
/// ```
///
/// All inner teams take equally long, so that no thread waits at the end of the outer region, and no other wait state
/// shows. There are T × `inner` threads in all, and a runtime that does not nest them (`OMP_MAX_ACTIVE_LEVELS` below
/// 2) shows nothing. Scalasca does not analyse nested regions.
#[property(
    finds = WaitAtImplicitOmpBarrier,
    formula = {
        let threads = max(1, inner);
        let w = over(distribution, threads);
        T * r * sum(0..threads, |j| max(w) - w[j])
    },
    at = "!$omp parallel/!$omp parallel/!$omp implicit barrier",
    cause = UnevenTeam,
    min_threads = 2,
    c = "nested_parallel_imbalance.c"
)]
pub fn nested_parallel_imbalance(
    /// Work of each thread of an inner region.
    #[default(Distribution::block2(0.01, 0.06))]
    distribution: Distribution,
    /// Number of threads of an inner region; at least 1.
    #[default(2)]
    inner: usize,
    /// Number of repetitions.
    #[default(10)]
    r: usize,
    team: &impl Team,
    balance: Balance,
) {
    let inner = inner.max(1);
    let work = balance.share(distribution, inner);
    team.parallel(team.max_threads(), |_| {
        for _ in 0..r {
            team.parallel(inner, |t| par_do_omp_work(&work, 1.0, t));
        }
    });
}
