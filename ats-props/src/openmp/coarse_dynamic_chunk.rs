//! Chunks too coarse for a dynamic schedule.

use ats_props::{Balance, Schedule, Seconds, Team, Thread, do_work, property};

/// Threads wait at the end of a dynamically scheduled loop because its chunks are too coarse.
///
/// In one parallel region, a loop of `n` equal iterations with `schedule(dynamic, chunk)` is executed `r` times. An
/// iteration works `iterationwork`. The chunks do not divide evenly among the threads: some execute one more.
///
/// ```text
///     │ for                       │
/// 0   ├─ chunk ─┬─ chunk ─────────┤
/// 1   ├─ chunk ─┼─ waits ·········┤
/// 2   ├─ chunk ─┼─ waits ·········┤
/// ```
///
/// The threads that execute one more vary, so it does not matter which threads wait: the formula gives the `iterations`
/// of each as if they asked for chunks in the order of their numbers. Nobody waits if the number of
/// threads divides the number of chunks. No other wait state shows.
#[property(
    finds = WaitAtImplicitOmpBarrier,
    at = "!$omp parallel/!$omp for/!$omp implicit barrier",
    each = {
        let most = max(0..T, |u| iterations(n, chunk, T, u));
        r * (most - iterations(n, chunk, T, t)) * iterationwork
    },
    cause = if idle(0..T, |u| iterations(n, chunk, T, u)) { FewPieces } else { UnevenTeam },
    min_threads = 2,
    c = "coarse_dynamic_chunk.c"
)]
pub fn coarse_dynamic_chunk(
    /// Number of iterations.
    #[default(34)]
    n: usize,
    /// Iterations in a chunk; 0 counts as 1.
    #[default(2)]
    chunk: usize,
    /// Work of an iteration.
    #[default(Seconds(0.005))]
    iterationwork: Seconds,
    /// Number of repetitions.
    #[default(10)]
    r: usize,
    team: &impl Team,
    balance: Balance,
) {
    let threads = team.max_threads();
    match balance {
        Balance::Uneven => loops(n, Schedule::Dynamic(chunk.max(1)), iterationwork, r, team),
        // All threads share the work equally.
        Balance::Even => {
            let share = n as f64 * iterationwork.0 / threads as f64;
            loops(threads, Schedule::StaticChunk(1), Seconds(share), r, team);
        }
    }
}

/// The iterations that a thread executes: all come at the same times, and get chunks in the order of their numbers.
fn iterations(n: f64, chunk: f64, threads: f64, thread: f64) -> f64 {
    let (chunk, threads) = (chunk.max(1.0) as usize, threads as usize);
    (0..n as usize).filter(|iteration| iteration / chunk % threads == thread as usize).count() as f64
}

fn loops(n: usize, schedule: Schedule, iterationwork: Seconds, r: usize, team: &impl Team) {
    team.parallel(team.max_threads(), |t| {
        for _ in 0..r {
            t.for_each(n, schedule, |_| do_work(iterationwork.0));
        }
    });
}
