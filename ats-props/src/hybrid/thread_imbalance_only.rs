//! Threads that are uneven, in processes that are not.

use ats_props::{Balance, Communicator, Distribution, Team, par_do_omp_work, property};

/// Threads wait at the end of a parallel region because their work is distributed unevenly, but alike in all processes.
///
/// Every thread works for its share of `distribution` in a parallel region; then the masters meet at an MPI barrier. Its
/// counterpart is [`super::process_imbalance_only`]: an analysis has to tell them apart.
///
/// ```text
///       │ parallel                    │
/// low   ├─ low ──┬─ implicit barrier ·┼─ MPI_Barrier ─┤
/// high  ├─ high ─┼─────────┬──────────┤
///                └─ waits ─┘
/// ```
///
/// All ranks take equally long: no rank waits in `MPI_Barrier`, and no thread is idle meanwhile.
#[property(
    finds = WaitAtImplicitOmpBarrier,
    at = "!$omp parallel/!$omp implicit barrier",
    each = {
        let w = over(distribution, T);
        r * (max(w) - w[t])
    },
    cause = UnevenTeam,
    min_threads = 2,
    c = "thread_imbalance_only.c"
)]
pub fn thread_imbalance_only(
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
    let work = balance.share(distribution, team.max_threads());
    for _ in 0..r {
        team.parallel(team.max_threads(), |t| par_do_omp_work(&work, 1.0, t));
        c.barrier();
    }
}
