//! Threads that have nothing to do in the serial part of a program.

use ats_props::{Seconds, Team, do_work, property};

/// Threads are idle while their process executes serial code.
///
/// The master works `serialwork` outside any parallel region; then all threads work `parallelwork` in one.
///
/// ```text
///         │ serial        │ parallel   │
/// master  ├─ work ────────┼─ work ─────┤
/// others  ·· idle ········├─ work ─────┤
/// ```
///
/// An idle thread executes nothing and so waits nowhere: the idle time belongs to the call path that the master is at.
/// No wait state shows.
#[property(
    finds = IdleThreads,
    formula = (T - 1) * r * serialwork,
    at = "",
    each = if t > 0 { r * serialwork },
    cause = SerialPart,
    min_threads = 2,
    c = "idle_threads_sequential_part.c"
)]
pub fn idle_threads_sequential_part(
    /// Work of the master outside parallel regions in a repetition.
    #[default(Seconds(0.05))]
    serialwork: Seconds,
    /// Work of every thread in a region.
    #[default(Seconds(0.01))]
    parallelwork: Seconds,
    /// Number of repetitions.
    #[default(10)]
    r: usize,
    team: &impl Team,
) {
    alternate(serialwork, parallelwork, r, team);
}

/// All threads share the serial work in the region.
pub fn balanced(serialwork: Seconds, parallelwork: Seconds, r: usize, team: &impl Team) {
    let share = serialwork.0 / team.max_threads() as f64;
    alternate(Seconds(0.0), Seconds(parallelwork.0 + share), r, team);
}

fn alternate(serialwork: Seconds, parallelwork: Seconds, r: usize, team: &impl Team) {
    for _ in 0..r {
        do_work(serialwork.0);
        team.parallel(team.max_threads(), |_| do_work(parallelwork.0));
    }
}
