//! Chunks too coarse for a dynamic schedule.

use ats_props::{Schedule, Seconds, Team, Thread, do_work, property};

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
/// The threads that execute one more vary, so it does not matter which threads wait. Nobody waits if the number of
/// threads divides the number of chunks. No other wait state shows.
#[property(
    finds = WaitAtImplicitOmpBarrier,
    formula = "W = r·(T·⌈C/T⌉ − C)·chunk·iterationwork, C = n/chunk, where chunk divides n",
    cause = UnevenTeam,
    cause = FewPieces,
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
) {
    loops(n, Schedule::Dynamic(chunk.max(1)), iterationwork, r, team);
}

/// All threads share the work equally.
pub fn balanced(n: usize, chunk: usize, iterationwork: Seconds, r: usize, team: &impl Team) {
    let _ = chunk;
    let threads = team.max_threads();
    let share = n as f64 * iterationwork.0 / threads as f64;
    loops(threads, Schedule::StaticChunk(1), Seconds(share), r, team);
}

fn loops(n: usize, schedule: Schedule, iterationwork: Seconds, r: usize, team: &impl Team) {
    team.parallel(team.max_threads(), |t| {
        for _ in 0..r {
            t.for_each(n, schedule, |_| do_work(iterationwork.0));
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{THREADS, assert_team_silent, assert_team_waits, in_region};

    #[test]
    fn threads_with_fewer_chunks_wait_and_in_the_twin_nobody() {
        let call_path = in_region(&PROPERTY, &["!$omp for", "!$omp implicit barrier"]);
        for (n, chunk) in [(34, 2), (17, 1), (12, 4), (5, 5), (0, 3)] {
            for threads in THREADS {
                let chunks: usize = n / chunk;
                // Those that come at the same time get chunks in the order of their numbers.
                let waits = |thread| {
                    let missing = chunks.div_ceil(threads) - (chunks + threads - 1 - thread) / threads;
                    3.0 * (missing * chunk) as f64 * 0.005
                };
                let given = [("n", &*n.to_string()), ("chunk", &*chunk.to_string()), ("r", "3")];
                assert_team_waits(&PROPERTY, threads, &given, &call_path, waits);
                assert_team_silent(&PROPERTY, threads, &given);
            }
        }
    }
}
