//! Waiting at the end of nested parallel regions.

use ats_props::{Distribution, Team, par_do_omp_work, property};

/// Threads wait at the end of nested parallel regions because their work is distributed unevenly.
///
/// The threads of the process are divided into teams of `inner`: an outer region has as many threads as there are such
/// teams, and each of them starts inner regions, whose threads work for their shares of `distribution`.
///
/// ```text
///                 │ parallel (outer)                      │
/// outer 0, low    │ ├─ parallel: low ──┬─ waits ─┬────────┤
///          high   │ ├─ parallel: high ─────────── ┤
/// outer 1, low    │ ├─ parallel: low ──┬─ waits ─┬────────┤
///          high   │ ├─ parallel: high ───────────┤
/// ```
///
/// All inner teams take equally long, so that nobody waits at the end of the outer region. A runtime that does not nest
/// (`OMP_MAX_ACTIVE_LEVELS` of 1) makes the inner teams one thread each, and nothing shows. Scalasca does not analyse
/// nested regions.
#[property(
    paradigm = "openmp",
    finds = WaitAtImplicitOmpBarrier,
    formula = "W = floor(T/inner)·r·S, S = Σ(max w − wᵢ) over a team of inner threads",
    min_threads = 4
)]
pub fn nested_parallel_imbalance(
    /// Which thread of an inner region works how long.
    #[default(Distribution::block2(0.01, 0.06))]
    distribution: Distribution,
    /// How many threads an inner region has; at least 1, and no more than there are.
    #[default(2)]
    inner: usize,
    /// Repetitions.
    #[default(10)]
    r: usize,
    team: &impl Team,
) {
    nest(&distribution, inner.clamp(1, team.max_threads()), r, team);
}

/// Everybody in an inner region has the mean.
pub fn balanced(distribution: Distribution, inner: usize, r: usize, team: &impl Team) {
    let inner = inner.clamp(1, team.max_threads());
    nest(&distribution.balanced(inner), inner, r, team);
}

fn nest(work: &Distribution, inner: usize, r: usize, team: &impl Team) {
    team.parallel(team.max_threads() / inner, |_| {
        for _ in 0..r {
            team.parallel(inner, |t| par_do_omp_work(work, 1.0, t));
        }
    });
}
