//! Waiting for the longest section.

use ats_props::{Distribution, Team, Thread, do_work, property};

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
/// Which thread executes which section is the compiler's choice: clang gives thread i section i, others give a section
/// to whoever asks, so that the threads' waits are to be compared as a set. No other wait state shows.
#[property(
    finds = WaitAtImplicitOmpBarrier,
    formula = "W = r·S, S = Σ(max w − wᵢ)",
    min_threads = 2,
    c = "imbalance_in_omp_sections.c"
)]
pub fn imbalance_in_omp_sections(
    /// Which section works how long.
    #[default(Distribution::block2(0.01, 0.06))]
    distribution: Distribution,
    /// Repetitions.
    #[default(10)]
    r: usize,
    team: &impl Team,
) {
    sections(&distribution, r, team);
}

/// Every section has the mean.
pub fn balanced(distribution: Distribution, r: usize, team: &impl Team) {
    sections(&distribution.balanced(team.max_threads()), r, team);
}

fn sections(work: &Distribution, r: usize, team: &impl Team) {
    team.parallel(team.max_threads(), |t| {
        let threads = t.threads();
        for _ in 0..r {
            t.sections(threads, |section| do_work(work.value(section, threads, 1.0)));
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
                let call_path = [
                    "imbalance_in_omp_sections",
                    "!$omp parallel",
                    "!$omp sections",
                    "!$omp implicit barrier",
                ];
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
