//! An imbalance that grows while the program runs.

use ats_mpi::par_do_mpi_work;
use ats_props::{Balance, Communicator, Distribution, Seconds, do_work, property};

use crate::family::uneven::allreduce;

/// Ranks wait in an allreduce for those that have more to do, in each repetition longer.
///
/// In repetition k, counted from 1, every rank works `basework` and its share of `distribution` times 2·k/(r+1); then
/// the values of all are combined for all. The scale factor of the work is a function of the repetition (report,
/// section 3.1.5), and 1 on average.
///
/// ```text
/// low   ├─ base ─┬ MPI_Allreduce ··┬─ base ─┬ MPI_Allreduce ········┤
/// high  ├─ base ─┬─ share ─┬ MPI_A.┬─ base ─┬─ share ───────┬ MPI_A.┤
///                └─ waits ─┘                └─ waits ───────┘
/// ```
///
/// The first repetitions look well, the last ones do not; the sum does not show that. No skew is left, and no other wait state
/// shows.
#[property(
    finds = WaitAtNxN,
    at = "MPI_Allreduce",
    each = r * (max(distribution) - distribution[i]),
    cause = if alone(0..P, |j| basework + distribution[j]) { LackOfParallelism } else { LateArrival },
    min_ranks = 2
)]
pub fn severity_growing_over_time(
    /// Work of every rank in a repetition.
    #[default(Seconds(0.02))]
    basework: Seconds,
    /// Extra work of each rank, on average over the repetitions.
    #[default(Distribution::block2(0.0, 0.05))]
    distribution: Distribution,
    /// Number of repetitions.
    #[default(10)]
    r: usize,
    c: &dyn Communicator,
    balance: Balance,
) {
    let (combine, work) = (allreduce(c), balance.share(distribution, c.size()));
    for repetition in 1..=r {
        do_work(basework.0);
        par_do_mpi_work(&work, 2.0 * repetition as f64 / (r as f64 + 1.0), c);
        combine();
    }
}
