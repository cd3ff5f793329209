//! A parallel region with fewer threads than there are.

use ats_props::{Balance, Seconds, Team, do_work, property};

/// Threads are idle because a parallel region has fewer than the process.
///
/// Regions have `members` threads, and each works for `work`.
///
/// ```text
///          │ parallel │
/// members  ├─ work ───┤
/// others   ·· idle ···
/// ```
///
/// An idle thread executes nothing and so waits nowhere: the idle time belongs to the region. With `members` at the
/// number of threads or above nothing shows. No wait state shows.
#[property(
    finds = LimitedParallelism,
    formula = r * max(0, T - max(1, members)) * work,
    at = "!$omp parallel",
    each = if t >= max(1, members) { r * work },
    cause = FewThreads,
    min_threads = 3,
    c = "limited_parallelism.c"
)]
pub fn limited_parallelism(
    /// Work of a member in a region.
    #[default(Seconds(0.05))]
    work: Seconds,
    /// Number of threads of a region; at least 1, and no more than there are.
    #[default(2)]
    members: usize,
    /// Number of repetitions.
    #[default(10)]
    r: usize,
    team: &impl Team,
    balance: Balance,
) {
    // Regions of the twin have all threads, which share the work.
    let threads = team.max_threads();
    let members = members.clamp(1, threads);
    let share = work.0 * members as f64 / threads as f64;
    let (members, work) = balance.pick((members, work.0), (threads, share));
    for _ in 0..r {
        team.parallel(members, |_| do_work(work));
    }
}
