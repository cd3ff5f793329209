//! Waiting at the end of nested parallel regions.

use ats_props::{Distribution, Team, par_do_omp_work, property};

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
    formula = "W = T·r·S, S = Σ(max w − wᵢ) over the inner threads",
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
) {
    nest(&distribution, inner.max(1), r, team);
}

/// Every thread of an inner region has the mean.
pub fn balanced(distribution: Distribution, inner: usize, r: usize, team: &impl Team) {
    let inner = inner.max(1);
    nest(&distribution.balanced(inner), inner, r, team);
}

fn nest(work: &Distribution, inner: usize, r: usize, team: &impl Team) {
    team.parallel(team.max_threads(), |_| {
        for _ in 0..r {
            team.parallel(inner, |t| par_do_omp_work(work, 1.0, t));
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{DISTRIBUTIONS, THREADS, assert_close, assert_team_silent, simulate};

    const CALL_PATH: [&str; 4] =
        ["nested_parallel_imbalance", "!$omp parallel", "!$omp parallel", "!$omp implicit barrier"];

    #[test]
    fn waits_are_those_of_the_closed_form() {
        for text in DISTRIBUTIONS {
            let work: Distribution = text.parse().unwrap();
            for inner in 1..=4 {
                for threads in THREADS {
                    let given = [("distribution", text), ("inner", &*inner.to_string()), ("r", "3")];
                    let outcome = simulate(&PROPERTY, (1, threads), &given, false);
                    for wait in &outcome.waits {
                        assert_eq!(
                            (wait.state, &*wait.call_path),
                            (PROPERTY.finds.wait_state(), &CALL_PATH[..])
                        );
                    }
                    let waits = threads as f64 * 3.0 * work.imbalance(inner, 1.0);
                    assert_close(outcome.waits.iter().map(|wait| wait.waiting_time).sum(), waits);
                    assert_eq!(outcome.locations.len(), threads * inner);
                }
            }
        }
    }

    #[test]
    fn its_twin_shows_nothing() {
        for inner in ["0", "1", "2", "5"] {
            THREADS
                .into_iter()
                .for_each(|threads| assert_team_silent(&PROPERTY, threads, &[("inner", inner)]));
        }
    }
}
