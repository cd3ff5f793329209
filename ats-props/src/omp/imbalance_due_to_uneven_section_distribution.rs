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
/// Who executes what decides on the amount. clang makes a loop of static blocks of sections: as equal as possible, the
/// first threads get one more; the formula is for that, bₜ being what the block of thread t works. Compilers that give
/// the next section to whoever asks next come to another amount, that of a greedy schedule. No other wait state shows.
#[property(
    paradigm = "openmp",
    finds = WaitAtImplicitOmpBarrier,
    formula = "W = r·Σ(max b − bₜ), bₜ = Σ w of thread t's block of sections",
    min_threads = 2
)]
pub fn imbalance_due_to_uneven_section_distribution(
    /// Which section works how long.
    #[default(Distribution::block2(0.01, 0.06))]
    distribution: Distribution,
    /// How many sections there are.
    #[default(10)]
    sections: usize,
    /// Repetitions.
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
