//! Tasks with too little to do.

use ats_props::{Balance, Construct, Counter, Seconds, Team, do_work, property};

use crate::family::many_tasks::many_tasks;

/// One thread creates many tasks with little to do in each.
///
/// In one parallel region, every thread works for `work`; then a single creates `tasks` tasks of `taskwork` each, which
/// the threads execute in the barrier at its end.
///
/// ```text
///          │ work   │ single
/// creator  ├─ work ─┼┬─┬─┬─┤   creates the tasks, and executes some
/// others   ├─ work ─┼─┬─┬─┬┤   execute the rest in the implicit barrier
/// ```
///
/// The finding is the number of tasks. Threads that execute one less than others wait for them in the barrier, but no
/// metric counts that. Creating a task takes no time in the closed forms, so that nobody waits for
/// one. On a real machine it does, and the others wait for tasks meanwhile: if that is more than the threshold of a report, a tool
/// rightly reports it.
#[property(
    finds = Count(Counter::VISITS, Construct::Task.region()),
    formula = r * tasks,
    twin = r * T,
    also = None,
    at = "!$omp parallel/!$omp single/!$omp implicit barrier",
    each = if tasks % T > 0 && t >= tasks % T { r * taskwork },
    min_threads = 2,
    c = "too_fine_grained_tasks.c"
)]
pub fn too_fine_grained_tasks(
    /// Work of every thread before the tasks of a repetition.
    #[default(Seconds(0.05))]
    work: Seconds,
    /// Work of a task.
    #[default(Seconds(0.00002))]
    taskwork: Seconds,
    /// Number of tasks in a repetition.
    #[default(100)]
    tasks: usize,
    /// Number of repetitions.
    #[default(10)]
    r: usize,
    team: &impl Team,
    balance: Balance,
) {
    // In the twin there is one task per thread, which share the work of all.
    let threads = team.max_threads();
    let share = taskwork.0 * tasks as f64 / threads as f64;
    let (tasks, of_task) = balance.pick((tasks, taskwork.0), (threads, share));
    many_tasks(work.0, tasks, r, team, || do_work(of_task));
}
