//! Fewer sections than threads.

use ats_props::{Balance, Seconds, Team, Thread, do_work, property};

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
    formula = r * (T * ceil(sections / T) - sections) * sectionwork,
    at = "!$omp parallel/!$omp sections/!$omp implicit barrier",
    each = r * (ceil(sections / T) - floor((sections + T - 1 - t) / T)) * sectionwork,
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
    balance: Balance,
) {
    // In the twin all threads share the work before the sections, which have none.
    let share = sectionwork.0 * sections as f64 / team.max_threads() as f64;
    let [before, inside] = balance.pick([0.0, sectionwork.0], [share, 0.0]);
    Construct { before, inside, r }
        .run(team, |t, sectionwork| t.sections(sections, |_| do_work(sectionwork)));
}
