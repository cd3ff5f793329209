//! Sections that cannot be shared out evenly.

use ats_props::{Balance, Distribution, Team, Thread, do_work, property};

use crate::formula::Amounts;

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
/// as possible, the first threads get one more; the formula is for that, with the work of the `block` of each thread.
/// Compilers that give the next section to the next thread that asks come to another amount, that of a greedy
/// schedule. No other wait state shows.
#[property(
    finds = WaitAtImplicitOmpBarrier,
    at = "!$omp parallel/!$omp sections/!$omp implicit barrier",
    each = {
        let w = over(distribution, sections);
        r * (max(0..T, |u| block(w, sections, T, u)) - block(w, sections, T, t))
    },
    cause = if idle(0..T, |u| block(over(distribution, sections), sections, T, u)) { FewPieces } else { UnevenTeam },
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
    balance: Balance,
) {
    // In the twin all threads share the work before the sections, which have none.
    let all: f64 = distribution.values(sections, 1.0).sum();
    let before = balance.pick(0.0, all / team.max_threads() as f64);
    let work = balance.pick(distribution, Distribution::same(0.0));
    team.parallel(team.max_threads(), |t| {
        for _ in 0..r {
            do_work(before);
            t.sections(sections, |section| do_work(work.value(section, sections, 1.0)));
        }
    });
}

/// The work of a thread in a repetition: a block of sections, the first threads with one more.
fn block(work: Amounts<'_>, sections: f64, threads: f64, thread: f64) -> f64 {
    let (sections, threads, thread) = (sections as usize, threads as usize, thread as usize);
    let share = |thread| sections / threads + usize::from(thread < sections % threads);
    let before: usize = (0..thread).map(share).sum();
    work.iter().skip(before).take(share(thread)).sum()
}
