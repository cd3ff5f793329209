//! An imbalance that moves through the ranks.

use ats_props::{Communicator, Distribution, do_work, property};

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
    formula = "W = r·S, S = Σ(max w − wᵢ); Σ(max w − w of rank (i + k·speed) mod P) over all k at rank i",
    cause = LateArrival,
    cause = LackOfParallelism,
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
) {
    let (me, size) = (c.rank(), c.size());
    let combine = allreduce(c);
    for repetition in 0..r {
        do_work(distribution.value(moved(me, speed, repetition, size), size, 1.0));
        combine();
    }
}

/// Every rank has the mean.
pub fn balanced(distribution: Distribution, _: usize, r: usize, c: &dyn Communicator) {
    let combine = allreduce(c);
    let mean = distribution.mean(c.size(), 1.0);
    for _ in 0..r {
        do_work(mean);
        combine();
    }
}

/// The rank whose share a rank has in a repetition.
fn moved(rank: usize, speed: usize, repetition: usize, size: usize) -> usize {
    let by = (speed % size) * (repetition % size) % size;
    (rank + by) % size
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{DISTRIBUTIONS, RANKS, assert_silent, assert_waits};

    #[test]
    fn each_waits_by_whose_share_it_has() {
        for text in DISTRIBUTIONS {
            let distribution: Distribution = text.parse().unwrap();
            for (ranks, speed) in RANKS.into_iter().flat_map(|ranks| [(ranks, 0), (ranks, 1), (ranks, 5)]) {
                let work: Vec<f64> = distribution.values(ranks, 1.0).collect();
                let most = work.iter().copied().fold(0.0, f64::max);
                let waits = |rank| (0..7).map(|k| most - work[(rank + k * speed) % ranks]).sum::<f64>();
                let given = [("distribution", text), ("speed", &*speed.to_string()), ("r", "7")];
                assert_waits(&PROPERTY, ranks, &given, &["moving_imbalance", "MPI_Allreduce"], waits);
                assert_silent(&PROPERTY, ranks, &given);
            }
        }
    }
}
