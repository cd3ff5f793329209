//! Unneeded parallel regions.

use ats_props::{Balance, Construct, Counter, Seconds, Team, do_work, property};

/// Threads start parallel regions again and again with next to nothing inside.
///
/// In each repetition all threads work for `work` in one parallel region; `k` more follow in a row, with work of no
/// duration inside.
///
/// ```text
///       │ region       │ k regions
/// each  ├─ work ───────┼┬┬┬┬┬┬┤
/// ```
///
/// The finding is the number of entries: every thread enters every region. Work of no duration is a call all the same:
/// compilers remove regions that do nothing at all. Starting a region takes no time in the closed forms, so that no thread
/// waits. On a real machine it does: if that is more than the threshold of a report, a tool rightly reports management.
#[property(
    finds = Count(Counter::VISITS, Construct::Parallel.region()),
    formula = T * r * (k + 1),
    twin = T * r,
    min_threads = 2,
    c = "parallel_region_startup_overhead.c"
)]
pub fn parallel_region_startup_overhead(
    /// Work of every thread in the first region of a repetition.
    #[default(Seconds(0.05))]
    work: Seconds,
    /// Regions in a row after it.
    #[default(20)]
    k: usize,
    /// Number of repetitions.
    #[default(10)]
    r: usize,
    team: &impl Team,
    balance: Balance,
) {
    let region = |seconds| team.parallel(team.max_threads(), |_| do_work(seconds));
    for _ in 0..r {
        region(work.0);
        // The twin has the regions with the work alone.
        (0..balance.pick(k, 0)).for_each(|_| region(0.0));
    }
}
