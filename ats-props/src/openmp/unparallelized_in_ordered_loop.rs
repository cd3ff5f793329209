//! A loop that an ordered construct makes serial.

use ats_props::{Schedule, Seconds, Team, Thread, do_work, property};

/// Threads execute a loop one after the other because most of it is ordered.
///
/// In one parallel region, a worksharing loop with `schedule(static, 1)` has `rounds` iterations for every thread. An
/// iteration works `parallelwork`, which all threads do at once, and then `orderedwork` in its turn.
///
/// ```text
///    │ for                                                 │
/// 0  ├─ parallel ─┬─ ordered ─┬─ implicit barrier: waits ··┤
/// 1  ├─ parallel ─┼─ waits ···┼─ ordered ─┬─ waits ········┤
/// 2  ├─ parallel ─┼─ waits ···············┼─ ordered ──────┤
/// ```
///
/// The finding is the end of the loop: thread t is done `orderedwork` before thread t + 1 and waits at the end of the
/// loop for the last. The waits for a turn, in `!$omp ordered`, are as long at least: `r·(T(T−1)/2·orderedwork +
/// (rounds−1)·T·max(0, (T−1)·orderedwork − parallelwork))`. Scalasca counts the time in the construct, but has no wait
/// state for them.
#[property(
    finds = WaitAtImplicitOmpBarrier,
    formula = "W = r·T(T−1)/2·orderedwork, where rounds > 0",
    cause = Contention,
    min_threads = 2,
    c = "unparallelized_in_ordered_loop.c"
)]
pub fn unparallelized_in_ordered_loop(
    /// Work of an iteration before its turn.
    #[default(Seconds(0.01))]
    parallelwork: Seconds,
    /// Work of an iteration in its turn.
    #[default(Seconds(0.02))]
    orderedwork: Seconds,
    /// Iterations of each thread.
    #[default(2)]
    rounds: usize,
    /// Number of repetitions.
    #[default(10)]
    r: usize,
    team: &impl Team,
) {
    loops(parallelwork, orderedwork, rounds, r, team);
}

/// All work comes before the turn, which has none.
pub fn balanced(parallelwork: Seconds, orderedwork: Seconds, rounds: usize, r: usize, team: &impl Team) {
    loops(Seconds(parallelwork.0 + orderedwork.0), Seconds(0.0), rounds, r, team);
}

fn loops(parallelwork: Seconds, orderedwork: Seconds, rounds: usize, r: usize, team: &impl Team) {
    team.parallel(team.max_threads(), |t| {
        for _ in 0..r {
            t.for_ordered(
                rounds * t.threads(),
                Schedule::StaticChunk(1),
                |_| do_work(parallelwork.0),
                |_| do_work(orderedwork.0),
            );
        }
    });
}

#[cfg(test)]
mod tests {
    use ats_model::WaitState;

    use super::*;
    use crate::testing::{Shows, THREADS, assert_shows, assert_team_silent};

    const TURN: [&str; 4] =
        ["unparallelized_in_ordered_loop", "!$omp parallel", "!$omp for", "!$omp ordered"];
    const END: [&str; 4] =
        ["unparallelized_in_ordered_loop", "!$omp parallel", "!$omp for", "!$omp implicit barrier"];

    #[test]
    fn waits_are_those_of_the_closed_form() {
        for (parallelwork, rounds) in [(0.0, 1), (0.01, 2), (0.07, 3), (0.5, 4)] {
            for threads in THREADS {
                let (parallel, rounds_text) = (parallelwork.to_string(), rounds.to_string());
                let given = [("parallelwork", &*parallel), ("rounds", &*rounds_text), ("r", "3")];
                let again = ((threads - 1) as f64 * 0.02 - parallelwork).max(0.0);
                let turn = |_, thread| 3.0 * (thread as f64 * 0.02 + (rounds - 1) as f64 * again);
                let end = |_, thread| 3.0 * (threads - 1 - thread) as f64 * 0.02;
                let shows = [
                    Shows { state: None, call_path: &TURN, seconds: &turn },
                    Shows {
                        state: Some(WaitState::WaitAtImplicitOmpBarrier),
                        call_path: &END,
                        seconds: &end,
                    },
                ];
                assert_shows(&PROPERTY, (1, threads), &given, &shows);
            }
        }
    }

    #[test]
    fn its_twin_shows_nothing() {
        THREADS.into_iter().for_each(|threads| assert_team_silent(&PROPERTY, threads, &[("rounds", "3")]));
    }
}
