//! Waiting for the last to initialise MPI.

use ats_props::{Balance, Distribution, Process, do_work, property};

/// Ranks wait in `MPI_Init_thread` because they have unevenly much to do before.
///
/// Every rank works for its share of `distribution`, once, as a program that reads its input before it initialises MPI;
/// then it initialises MPI, and ends. The launcher says which rank it is.
///
/// ```text
/// low   ├─ low ──┬─ MPI_Init_thread ·········┤ MPI_Finalize ┤
/// high  ├─ high ─┼─────────┬─ MPI_Init_thread┤ MPI_Finalize ┤
///                └─ waits ─┘
/// ```
///
/// Libraries connect their processes there, and none is done before the last has come. Processes that their launcher has
/// not started together wait there, too: that is part of the observed truth.
#[property(
    finds = WaitAtInit,
    at = "MPI_Init_thread",
    each = max(distribution) - distribution[i],
    cause = if alone(distribution) { LackOfParallelism } else { LateArrival },
    min_ranks = 2
)]
pub fn imbalance_at_mpi_init(
    /// Work of each rank.
    #[default(Distribution::block2(0.1, 0.6))]
    distribution: Distribution,
    process: &dyn Process,
    balance: Balance,
) {
    let work = balance.share(distribution, process.size());
    do_work(work.value(process.rank(), process.size(), 1.0));
    let world = process.init();
    process.finalize(world);
}
