//! Fewer tasks than threads.

use ats_props::{Balance, Seconds, Team, Thread, do_work, property};

/// Threads wait at a barrier because there are too few tasks for all of them.
///
/// In one parallel region, a single creates `tasks` tasks of `taskwork` each and waits for them; the thread that does
/// so executes one itself, and others execute the rest in the barrier at the end of the single.
///
/// ```text
///           │ single                                │
/// creator   ├─ taskwait: task ─┬─ implicit barrier ─┤
/// executes  ├─ implicit barrier: task ──────────────┤
/// others    ├─ implicit barrier: waits ·············┤
/// ```
///
/// Executing a task is not waiting, although it happens in a barrier. Without the taskwait all threads would be in the
/// barrier at once, and by the rule "until the last enters it" none would wait. The assignment of tasks to threads
/// varies, so it does not matter which threads wait. No other wait state shows.
#[property(
    finds = WaitAtImplicitOmpBarrier,
    formula = r * (T * ceil(tasks / T) - tasks) * taskwork,
    at = "!$omp parallel/!$omp single/!$omp implicit barrier",
    each = if tasks % T > 0 && t >= tasks % T { r * taskwork },
    cause = FewPieces,
    min_threads = 3,
    c = "fewer_tasks_than_threads.c"
)]
pub fn fewer_tasks_than_threads(
    /// Work of a task.
    #[default(Seconds(0.05))]
    taskwork: Seconds,
    /// Number of tasks in a repetition: fewer than threads.
    #[default(2)]
    tasks: usize,
    /// Number of repetitions.
    #[default(10)]
    r: usize,
    team: &impl Team,
    balance: Balance,
) {
    // In the twin all threads share the work before the tasks, which have none.
    let share = taskwork.0 * tasks as f64 / team.max_threads() as f64;
    let [before, of_task] = balance.pick([0.0, taskwork.0], [share, 0.0]);
    team.parallel_tasks(team.max_threads(), |t, queue| {
        for _ in 0..r {
            do_work(before);
            t.single(|| {
                (0..tasks).for_each(|_| queue.spawn(move || do_work(of_task)));
                t.taskwait();
            });
        }
    });
}
