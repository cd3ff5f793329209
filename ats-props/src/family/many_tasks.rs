//! One thread creates many tasks with little or nothing to do.

use ats_omp::{Team, Thread};
use ats_work::do_work;

/// In one parallel region, every thread works for `work` seconds in each of `r` repetitions; then a single creates
/// `tasks` tasks, which the threads execute in the barrier at its end.
pub(crate) fn many_tasks(
    work: f64,
    tasks: usize,
    r: usize,
    team: &impl Team,
    task: impl Fn() + Copy + Send + Sync,
) {
    team.parallel_tasks(team.max_threads(), |t, queue| {
        for _ in 0..r {
            do_work(work);
            t.single(|| (0..tasks).for_each(|_| queue.spawn(task)));
        }
    });
}
