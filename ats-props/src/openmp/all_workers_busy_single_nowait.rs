//! A single that nobody waits for.

use ats_props::{Seconds, Team, Thread, do_work, property};

/// One thread works in a single without a barrier while the others work elsewhere, and none waits.
///
/// In one parallel region, one thread works `work` in a single with `nowait`, and each other thread works `work` behind
/// it; then all pass a barrier.
///
/// ```text
///            │ single │      │ barrier │
/// executes   ├─ work ─┬──────┤
/// others     ├┬─ work ───────┤
/// ```
///
/// A tool that takes a single for serial work is wrong. Which thread executes it varies.
#[property(
    tempts = WaitAtImplicitOmpBarrier,
    min_threads = 2,
    c = "all_workers_busy_single_nowait.c"
)]
pub fn all_workers_busy_single_nowait(
    /// Work of each thread in a repetition.
    #[default(Seconds(0.05))]
    work: Seconds,
    /// Number of repetitions.
    #[default(10)]
    r: usize,
    team: &impl Team,
) {
    team.parallel(team.max_threads(), |t| {
        for _ in 0..r {
            let mut is_busy = false;
            t.single_nowait(|| {
                is_busy = true;
                do_work(work.0);
            });
            if !is_busy {
                do_work(work.0);
            }
            t.barrier();
        }
    });
}
