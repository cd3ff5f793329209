//! A dynamic schedule with equal shares.

use ats_props::{Schedule, Seconds, Team, Thread, do_work, property};

/// Threads execute equal numbers of equal iterations with a dynamic schedule, and none waits.
///
/// In one parallel region, a loop of `n` iterations for each thread with `schedule(dynamic, 1)` is executed `r` times.
/// An iteration works `iterationwork`.
///
/// ```text
///       │ for                                     │
/// each  ├─ iteration ─┬─ iteration ─┬─ iteration ─┤
/// ```
///
/// A tool that assigns iterations to threads as a static schedule would is wrong.
#[property(tempts = WaitAtImplicitOmpBarrier, min_threads = 2, c = "balanced_dynamic_loop.c")]
pub fn balanced_dynamic_loop(
    /// Iterations for each thread.
    #[default(4)]
    n: usize,
    /// Work of an iteration.
    #[default(Seconds(0.01))]
    iterationwork: Seconds,
    /// Number of repetitions.
    #[default(10)]
    r: usize,
    team: &impl Team,
) {
    team.parallel(team.max_threads(), |t| {
        for _ in 0..r {
            t.for_each(n * t.threads(), Schedule::Dynamic(1), |_| do_work(iterationwork.0));
        }
    });
}
