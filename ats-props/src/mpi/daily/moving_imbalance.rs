//! An imbalance that moves through the ranks.

use ats_props::{Balance, Communicator, Distribution, do_work, property};

use crate::family::uneven::allreduce;

/// Ranks wait in an allreduce because their work is distributed unevenly, each time otherwise.
///
/// In repetition k rank i works for the share of `distribution` that rank (i + k·`speed`) modulo P has, and then the values of
/// all are combined for all.
///
/// ```text
/// rank 0  ├─ high ─────────┬ MPI_Allreduce┬─ low ──┬─ MPI_Allreduce ·········┤
/// rank 1  ├─ low ──┬─ MPI_Allreduce ······┬─ high ──────────┬─ MPI_Allreduce ┤
///                  └─ waits ─┘                     └─ waits ─┘
/// ```
///
/// Over P repetitions all work alike, so that sums over time look balanced, however long they wait. No skew is left, and no
/// other wait state shows.
#[property(
    finds = WaitAtNxN,
    at = "MPI_Allreduce",
    each = sum(0..r, |k| max(distribution) - distribution[(i + k * speed) % P]),
    cause = if alone(0..P, |j| sum(0..r, |k| distribution[(j + k * speed) % P])) { LackOfParallelism } else { LateArrival },
    min_ranks = 2
)]
pub fn moving_imbalance(
    /// Work of each rank in the first repetition.
    #[default(Distribution::block2(0.01, 0.06))]
    distribution: Distribution,
    /// By how many ranks the imbalance moves from one repetition to the next.
    #[default(1)]
    speed: usize,
    /// Number of repetitions.
    #[default(10)]
    r: usize,
    c: &dyn Communicator,
    balance: Balance,
) {
    let (me, size) = (c.rank(), c.size());
    let (combine, work) = (allreduce(c), balance.share(distribution, size));
    for repetition in 0..r {
        do_work(work.value(moved(me, speed, repetition, size), size, 1.0));
        combine();
    }
}

/// The rank whose share a rank has in a repetition.
fn moved(rank: usize, speed: usize, repetition: usize, size: usize) -> usize {
    let by = (speed % size) * (repetition % size) % size;
    (rank + by) % size
}
