//! Processes that are uneven, with threads that are not.

use ats_props::{Balance, Communicator, Distribution, Team, do_work, property};

/// Processes wait at an MPI barrier because their work is distributed unevenly, but evenly within each.
///
/// All threads of a rank work for the rank's share of `distribution` in a parallel region; then the masters meet at an
/// MPI barrier. Its counterpart is [`super::thread_imbalance_only`]: an analysis has to tell them apart.
///
/// ```text
/// low, all threads   ├─ low ──┬─ MPI_Barrier ···········┤
/// high, all threads  ├─ high ─┼─────────┬─ MPI_Barrier ─┤
///                             └─ waits ─┘
/// ```
///
/// Each thread but the master is idle for as long as its master waits in `MPI_Barrier`: `(T−1)·r·S` in all. No rank
/// waits at the end of the region.
#[property(
    finds = WaitAtBarrier,
    at = "MPI_Barrier",
    each = if t == 0 { r * (max(distribution) - distribution[i]) },
    cause = if alone(distribution) { LackOfParallelism } else { LateArrival },
    also = IdleThreads,
    at = "MPI_Barrier",
    each = if t > 0 { r * (max(distribution) - distribution[i]) },
    min_ranks = 2,
    min_threads = 2,
    c = "process_imbalance_only.c"
)]
pub fn process_imbalance_only(
    /// Work of each thread of a rank in a repetition.
    #[default(Distribution::block2(0.01, 0.06))]
    distribution: Distribution,
    /// Number of repetitions.
    #[default(10)]
    r: usize,
    c: &dyn Communicator,
    team: &impl Team,
    balance: Balance,
) {
    let of_rank = balance.share(distribution, c.size()).value(c.rank(), c.size(), 1.0);
    for _ in 0..r {
        team.parallel(team.max_threads(), |_| do_work(of_rank));
        c.barrier();
    }
}
