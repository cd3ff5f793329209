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

/// Asserts that there are `tasks` tasks in a repetition, in the twin as many as threads, and that threads with fewer of
/// them wait for the others, though no metric counts it.
#[cfg(test)]
pub(crate) fn assert_tasks(property: &'static crate::Property, taskwork: f64) {
    use super::often::assert_constructs;
    use crate::testing::{Shows, in_region};

    let barrier = in_region(property, &["!$omp single", "!$omp implicit barrier"]);
    for tasks in [0, 1, 2, 5, 100] {
        for threads in crate::testing::threads(property) {
            // All come at once: lower threads are first.
            let waits = |_, thread| {
                if tasks % threads > 0 && thread >= tasks % threads { 3.0 * taskwork } else { 0.0 }
            };
            let shows = Shows { state: None, call_path: &barrier, seconds: &waits };
            let given = [("tasks", &*tasks.to_string()), ("r", "3")];
            let numbers = [tasks, threads].map(|number| 3 * number);
            assert_constructs(property, crate::Construct::Task, threads, &given, &[shows], numbers);
        }
    }
}
