//! Waiting for the last to end.

use ats_mpi::par_do_mpi_work;
use ats_props::{Balance, Distribution, Process, property};

/// Ranks wait in `MPI_Finalize` because their work is distributed unevenly.
///
/// The program initialises MPI, every rank works for its share of `distribution`, once, and ends. No rank leaves
/// `MPI_Finalize` before the last has come.
///
/// ```text
/// low   ├─ MPI_Init_thread ─┬─ low ──┬─ MPI_Finalize ·········┤
/// high  ├─ MPI_Init_thread ─┼─ high ─┼─────────┬─ MPI_Finalize┤
///                                    └─ waits ─┘
/// ```
///
/// Elsewhere such waits are ambient: any skew that a program has left shows there. Here both calls are the program's
/// own, and measured; processes wait in `MPI_Init_thread` as long as their launcher has not started them together.
#[property(
    finds = WaitAtFinalize,
    at = "MPI_Finalize",
    each = max(distribution) - distribution[i],
    cause = if alone(distribution) { LackOfParallelism } else { LateArrival },
    min_ranks = 2
)]
pub fn wait_at_mpi_finalize(
    /// Work of each rank.
    #[default(Distribution::block2(0.1, 0.6))]
    distribution: Distribution,
    process: &dyn Process,
    balance: Balance,
) {
    let work = balance.share(distribution, process.size());
    let world = process.init();
    par_do_mpi_work(&work, 1.0, &*world);
    process.finalize(world);
}
