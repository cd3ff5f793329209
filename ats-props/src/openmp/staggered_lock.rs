//! A critical section that no two threads want at the same time.

use ats_props::{Seconds, Team, Thread, do_work, property};

/// Threads enter a critical section one after the other, and none waits.
///
/// In one parallel region of T threads, thread t works t·`criticalwork` at first. In each repetition it then works
/// `criticalwork` in the critical section and (T−1)·`criticalwork` + `slack` outside, so that its turn is over when the
/// next thread comes. At the end it works (T−1−t)·`criticalwork`, so that all end together.
///
/// ```text
/// 0  ├─ critical ─┬─ work ──────────────────┬─ critical ─┬─ …
/// 1  ├─ work ─────┼─ critical ─┬─ work ──────────────────┼─ …
/// 2  ├─ work ──────────────────┼─ critical ─┬─ work ─────────…
/// ```
///
/// A tool that takes every second of a critical section for contention is wrong. `slack` keeps the turns apart on a
/// noisy machine, too: only the first turns follow each other without a gap.
#[property(tempts = OmpCriticalContention, min_threads = 2, c = "staggered_lock.c")]
pub fn staggered_lock(
    /// Work of a thread in the critical section in a repetition.
    #[default(Seconds(0.01))]
    criticalwork: Seconds,
    /// Time in a repetition when no thread is in the critical section.
    #[default(Seconds(0.005))]
    slack: Seconds,
    /// Number of repetitions.
    #[default(10)]
    r: usize,
    team: &impl Team,
) {
    team.parallel(team.max_threads(), |t| {
        let (before, behind) = (t.number() as f64, (t.threads() - 1 - t.number()) as f64);
        do_work(before * criticalwork.0);
        for _ in 0..r {
            t.critical("staggered_lock", || do_work(criticalwork.0));
            do_work((before + behind) * criticalwork.0 + slack.0);
        }
        do_work(behind * criticalwork.0);
    });
}
