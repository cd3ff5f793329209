//! Imbalance among threads and among processes, at two barriers.

use ats_props::{Balance, Communicator, Distribution, Team, Thread, do_work, property};

/// Processes wait at an MPI barrier for the slowest thread of all.
///
/// Thread t of rank p works for its share of `threadwork` and the rank's share of `processwork` in a parallel region,
/// which ends with the slowest thread of the rank; then the masters meet at an MPI barrier, which ends with the slowest
/// rank.
///
/// ```text
///               │ parallel                                    │
/// fast, master  ├─ work ─┬─ implicit barrier ·┬─ MPI_Barrier ·┼─┤
///       other   ├─ work ──────────────────────┼·· idle ·········┤
/// slow, master  ├─ work ────────┬─ implicit barrier ··········┼─┤
///       other   ├─ work ──────────────────────────────────────┼─┤
/// ```
///
/// One cause under three names. The threads wait at the end of the region, at its implicit barrier, `P·r·S(threadwork)`
/// in all; the masters wait in `MPI_Barrier`; and each other thread is idle for as long as its master waits there,
/// `(T−1)·r·S(processwork)` in all. The MPI barrier evens everything out.
#[property(
    finds = WaitAtBarrier,
    at = "MPI_Barrier",
    each = if t == 0 { r * (max(processwork) - processwork[i]) },
    cause = if alone(0..P, |j| T * processwork[j] + sum(0..T, |u| over(threadwork, T)[u])) { LackOfParallelism } else { LateArrival },
    also = IdleThreads,
    at = "MPI_Barrier",
    each = if t > 0 { r * (max(processwork) - processwork[i]) },
    also = WaitAtImplicitOmpBarrier,
    at = "!$omp parallel/!$omp implicit barrier",
    each = {
        let w = over(threadwork, T);
        r * (max(w) - w[t])
    },
    min_ranks = 2,
    min_threads = 2,
    c = "omp_imbalance_at_mpi_barrier.c"
)]
pub fn omp_imbalance_at_mpi_barrier(
    /// Work of every thread of a rank in a repetition.
    #[default(Distribution::block2(0.01, 0.06))]
    processwork: Distribution,
    /// Additional work of a thread of any rank.
    #[default(Distribution::block2(0.01, 0.06))]
    threadwork: Distribution,
    /// Number of repetitions.
    #[default(10)]
    r: usize,
    c: &dyn Communicator,
    team: &impl Team,
    balance: Balance,
) {
    let of_rank = balance.share(processwork, c.size()).value(c.rank(), c.size(), 1.0);
    let of_threads = balance.share(threadwork, team.max_threads());
    for _ in 0..r {
        team.parallel(team.max_threads(), |t| {
            do_work(of_rank + of_threads.value(t.number(), t.threads(), 1.0));
        });
        c.barrier();
    }
}
