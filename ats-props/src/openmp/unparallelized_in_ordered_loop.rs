//! A loop that an ordered construct makes serial.

use ats_props::{Balance, Schedule, Seconds, Team, Thread, do_work, property};

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
    formula = if rounds > 0 { r * T * (T - 1) / 2 * orderedwork },
    at = "!$omp parallel/!$omp for/!$omp implicit barrier",
    each = if rounds > 0 { r * (T - 1 - t) * orderedwork },
    cause = Contention,
    also = None,
    at = "!$omp parallel/!$omp for/!$omp ordered",
    each = if rounds > 0 { r * (t * orderedwork + (rounds - 1) * max(0, (T - 1) * orderedwork - parallelwork)) },
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
    balance: Balance,
) {
    // In the twin all work comes before the turn, which has none.
    let [before, inside] =
        balance.pick([parallelwork.0, orderedwork.0], [parallelwork.0 + orderedwork.0, 0.0]);
    team.parallel(team.max_threads(), |t| {
        for _ in 0..r {
            let n = rounds * t.threads();
            t.for_ordered(n, Schedule::StaticChunk(1), |_| do_work(before), |_| do_work(inside));
        }
    });
}
