//! Sections that cannot be shared out evenly.

use ats_props::{Distribution, Team, Thread, do_work, property};

/// Threads wait at the end of sections because some get more of the work than others.
///
/// In one parallel region there are `sections` sections, usually more than threads; section i works for the i-th share
/// of `distribution`, and each thread executes several.
///
/// ```text
///        │ sections                                       │
/// low    ├─ low ─┬─ low ─┬─ implicit barrier ·············┤
/// high   ├─ high ────────┼─ high ────────┬────────────────┤
///                        └─ waits ───────┘
/// ```
///
/// The assignment of sections to threads decides the amount. clang makes a loop of static blocks of sections: as equal
/// as possible, the first threads get one more; the formula is for that, with bₜ the work of the block of thread t.
/// Compilers that give the next section to the next thread that asks come to another amount, that of a greedy
/// schedule. No other wait state shows.
#[property(
    finds = WaitAtImplicitOmpBarrier,
    formula = "W = r·Σ(max b − bₜ), bₜ = Σ w of thread t's block of sections",
    cause = UnevenTeam,
    cause = FewPieces,
    min_threads = 2,
    c = "imbalance_due_to_uneven_section_distribution.c"
)]
pub fn imbalance_due_to_uneven_section_distribution(
    /// Work of each section.
    #[default(Distribution::block2(0.01, 0.06))]
    distribution: Distribution,
    /// Number of sections.
    #[default(10)]
    sections: usize,
    /// Number of repetitions.
    #[default(10)]
    r: usize,
    team: &impl Team,
) {
    share_out(0.0, &distribution, sections, r, team);
}

/// All threads share the work before the sections, which have none.
pub fn balanced(distribution: Distribution, sections: usize, r: usize, team: &impl Team) {
    let work: f64 = distribution.values(sections, 1.0).sum();
    share_out(work / team.max_threads() as f64, &Distribution::same(0.0), sections, r, team);
}

fn share_out(before: f64, work: &Distribution, sections: usize, r: usize, team: &impl Team) {
    team.parallel(team.max_threads(), |t| {
        for _ in 0..r {
            do_work(before);
            t.sections(sections, |section| do_work(work.value(section, sections, 1.0)));
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{DISTRIBUTIONS, THREADS, assert_team_silent, assert_team_waits};

    const CALL_PATH: [&str; 4] = [
        "imbalance_due_to_uneven_section_distribution",
        "!$omp parallel",
        "!$omp sections",
        "!$omp implicit barrier",
    ];

    /// The work of each thread in a repetition: a block of sections, the first threads with one more.
    fn blocks(work: &Distribution, sections: usize, threads: usize) -> Vec<f64> {
        let mut values = work.values(sections, 1.0);
        let share = |thread| sections / threads + usize::from(thread < sections % threads);
        (0..threads).map(|thread| values.by_ref().take(share(thread)).sum()).collect()
    }

    #[test]
    fn waits_are_those_of_the_closed_form() {
        for text in DISTRIBUTIONS {
            let work: Distribution = text.parse().unwrap();
            for sections in [3, 10, 24] {
                for threads in THREADS {
                    let blocks = blocks(&work, sections, threads);
                    let longest = blocks.iter().copied().fold(0.0, f64::max);
                    let waits = |thread: usize| 3.0 * (longest - blocks[thread]);
                    let given = [("distribution", text), ("sections", &*sections.to_string()), ("r", "3")];
                    assert_team_waits(&PROPERTY, threads, &given, &CALL_PATH, waits);
                }
            }
        }
    }

    #[test]
    fn its_twin_shows_nothing() {
        for text in DISTRIBUTIONS {
            THREADS
                .into_iter()
                .for_each(|threads| assert_team_silent(&PROPERTY, threads, &[("distribution", text)]));
        }
    }
}
