//! Waiting for the last at the end of a worksharing loop.

use ats_props::{Distribution, Schedule, Team, Thread, do_work, property};

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
/// The loop's barrier evens everything out: nobody waits at the end of the region, and no other wait state shows.
#[property(
    finds = WaitAtImplicitOmpBarrier,
    formula = "W = r·S, S = Σ(max w − wᵢ)",
    min_threads = 2,
    c = "imbalance_in_omp_loop.c"
)]
pub fn imbalance_in_omp_loop(
    /// Which iteration works how long.
    #[default(Distribution::block2(0.01, 0.06))]
    distribution: Distribution,
    /// Repetitions.
    #[default(10)]
    r: usize,
    team: &impl Team,
) {
    loops(&distribution, r, team);
}

/// Every iteration has the mean.
pub fn balanced(distribution: Distribution, r: usize, team: &impl Team) {
    loops(&distribution.balanced(team.max_threads()), r, team);
}

fn loops(work: &Distribution, r: usize, team: &impl Team) {
    team.parallel(team.max_threads(), |t| {
        let threads = t.threads();
        for _ in 0..r {
            t.for_each(threads, Schedule::StaticChunk(1), |i| do_work(work.value(i, threads, 1.0)));
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{DISTRIBUTIONS, assert_team_silent, assert_team_waits};

    #[test]
    fn waits_are_those_of_the_closed_form() {
        for text in DISTRIBUTIONS {
            let work: Distribution = text.parse().unwrap();
            for threads in 1..=17 {
                let waits = |thread| 3.0 * (work.max(threads, 1.0) - work.value(thread, threads, 1.0));
                let given = [("distribution", text), ("r", "3")];
                let call_path =
                    ["imbalance_in_omp_loop", "!$omp parallel", "!$omp for", "!$omp implicit barrier"];
                assert_team_waits(&PROPERTY, threads, &given, &call_path, waits);
            }
        }
    }

    #[test]
    fn its_twin_shows_nothing() {
        for text in DISTRIBUTIONS {
            (1..=17).for_each(|threads| assert_team_silent(&PROPERTY, threads, &[("distribution", text)]));
        }
    }
}
