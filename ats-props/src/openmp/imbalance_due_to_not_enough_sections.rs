//! Fewer sections than threads.

use ats_props::{Seconds, Team, Thread, do_work, property};

use crate::family::construct::Construct;

/// Threads wait at the end of sections because there are too few for all of them.
///
/// In one parallel region, each of `sections` sections works for `sectionwork`; the threads that get none go straight
/// to the end.
///
/// ```text
///          │ sections            │
/// busy     ├─ section ───────────┤
/// without  ├─ implicit barrier ··┤
///          └─ waits ─────────────┘
/// ```
///
/// Shows nothing if all threads get the same number of sections. The compiler assigns them to threads: clang
/// gives them to the first, others to the next thread that asks. No other wait state shows.
#[property(
    finds = WaitAtImplicitOmpBarrier,
    formula = "W = r·(T·ceil(sections/T) − sections)·sectionwork",
    cause = FewPieces,
    min_threads = 3,
    c = "imbalance_due_to_not_enough_sections.c"
)]
pub fn imbalance_due_to_not_enough_sections(
    /// Work of a section.
    #[default(Seconds(0.05))]
    sectionwork: Seconds,
    /// Number of sections: fewer than threads.
    #[default(2)]
    sections: usize,
    /// Number of repetitions.
    #[default(10)]
    r: usize,
    team: &impl Team,
) {
    share_out(Construct { before: 0.0, inside: sectionwork.0, r }, sections, team);
}

/// All threads share the work before the sections, which have none.
pub fn balanced(sectionwork: Seconds, sections: usize, r: usize, team: &impl Team) {
    let share = sectionwork.0 * sections as f64 / team.max_threads() as f64;
    share_out(Construct { before: share, inside: 0.0, r }, sections, team);
}

fn share_out(work: Construct, sections: usize, team: &impl Team) {
    work.run(team, |t, sectionwork| t.sections(sections, |_| do_work(sectionwork)));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{THREADS, assert_team_silent, assert_team_waits};

    const CALL_PATH: [&str; 4] = [
        "imbalance_due_to_not_enough_sections",
        "!$omp parallel",
        "!$omp sections",
        "!$omp implicit barrier",
    ];

    #[test]
    fn waits_are_those_of_the_closed_form() {
        for sections in [0, 1, 2, 5, 20] {
            for threads in THREADS {
                let executes = |thread| sections / threads + usize::from(thread < sections % threads);
                let waits = |thread| 3.0 * 0.05 * (sections.div_ceil(threads) - executes(thread)) as f64;
                let given = [("sections", &*sections.to_string()), ("r", "3")];
                assert_team_waits(&PROPERTY, threads, &given, &CALL_PATH, waits);
            }
        }
    }

    #[test]
    fn its_twin_shows_nothing() {
        for sections in ["0", "1", "2", "5", "20"] {
            THREADS
                .into_iter()
                .for_each(|threads| assert_team_silent(&PROPERTY, threads, &[("sections", sections)]));
        }
    }
}
