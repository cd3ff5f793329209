//! Threads that have nothing to do in the serial part of a program.

use ats_props::{Balance, Seconds, Team, do_work, property};

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
    balance: Balance,
) {
    // In the twin all threads share the serial work in the region.
    let share = serialwork.0 / team.max_threads() as f64;
    let [serial, parallel] = balance.pick([serialwork.0, parallelwork.0], [0.0, parallelwork.0 + share]);
    for _ in 0..r {
        do_work(serial);
        team.parallel(team.max_threads(), |_| do_work(parallel));
    }
}
