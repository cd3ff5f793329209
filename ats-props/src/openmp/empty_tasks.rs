//! Tasks with nothing to do.

use ats_props::{Balance, Construct, Counter, Seconds, Team, property};

use crate::family::many_tasks::many_tasks;

/// One thread creates many tasks with nothing inside.
///
/// In one parallel region, every thread works for `work`; then a single creates `tasks` tasks, which the threads execute
/// in the barrier at its end.
///
/// ```text
///          │ work   │ single
/// creator  ├─ work ─┼┬┬┬┬┬┬┤   creates the tasks, and executes some
/// others   ├─ work ─┼─┬┬┬┬┬┤   execute the rest in the implicit barrier
/// ```
///
/// The finding is the number of tasks. Creating a task takes no time in the closed forms, so that no thread waits. On a
/// real machine it does, and the others wait for tasks meanwhile: if that is more than the threshold of a report, a tool
/// rightly reports it.
#[property(
    finds = Count(Counter::VISITS, Construct::Task.region()),
    formula = r * tasks,
    twin = r * T,
    min_threads = 2,
    c = "empty_tasks.c"
)]
pub fn empty_tasks(
    /// Work of every thread before the tasks of a repetition.
    #[default(Seconds(0.05))]
    work: Seconds,
    /// Number of tasks in a repetition.
    #[default(100)]
    tasks: usize,
    /// Number of repetitions.
    #[default(10)]
    r: usize,
    team: &impl Team,
    balance: Balance,
) {
    // The twin: one task per thread.
    many_tasks(work.0, balance.pick(tasks, team.max_threads()), r, team, || ());
}
