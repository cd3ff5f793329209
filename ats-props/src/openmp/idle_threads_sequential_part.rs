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
    formula = "W = (T−1)·r·serialwork",
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{THREADS, assert_team_silent, assert_team_waits};

    #[test]
    fn idle_time_is_that_of_the_closed_form() {
        let idles = |thread| if thread > 0 { 4.0 * 0.05 } else { 0.0 };
        let call_path = ["idle_threads_sequential_part"];
        THREADS
            .into_iter()
            .for_each(|threads| assert_team_waits(&PROPERTY, threads, &[("r", "4")], &call_path, idles));
    }

    #[test]
    fn its_twin_shows_nothing() {
        THREADS.into_iter().for_each(|threads| assert_team_silent(&PROPERTY, threads, &[]));
    }
}
