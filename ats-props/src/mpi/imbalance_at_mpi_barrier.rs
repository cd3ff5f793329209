//! Waiting for the last to reach a barrier.

use ats_mpi::{Communicator, par_do_mpi_work};
use ats_props::{Distribution, property};

/// Ranks wait at a barrier because their work is distributed unevenly.
///
/// Everybody works for its share of `distribution` and enters the barrier, which nobody leaves before the last has
/// come.
///
/// ```text
/// low   ├─ low ──┬─ MPI_Barrier ·········┤
/// high  ├─ high ─┼─────────┬─ MPI_Barrier┤
///                └─ waits ─┘
/// ```
///
/// The barrier evens everything out: no skew is left, and no other wait state shows.
#[property(finds = WaitAtBarrier, formula = "W = r·S, S = Σ(max w − wᵢ)", min_ranks = 2)]
pub fn imbalance_at_mpi_barrier(
    /// Who works how long in a repetition.
    #[default(Distribution::block2(0.01, 0.06))]
    distribution: Distribution,
    /// Repetitions.
    #[default(10)]
    r: usize,
    c: &dyn Communicator,
) {
    work_and_meet(&distribution, r, c);
}

/// Everybody has the mean.
pub fn balanced(distribution: Distribution, r: usize, c: &dyn Communicator) {
    work_and_meet(&distribution.balanced(c.size()), r, c);
}

fn work_and_meet(work: &Distribution, r: usize, c: &dyn Communicator) {
    for _ in 0..r {
        par_do_mpi_work(work, 1.0, c);
        c.barrier();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{DISTRIBUTIONS, assert_silent, assert_waits};

    #[test]
    fn waits_are_those_of_the_closed_form() {
        for text in DISTRIBUTIONS {
            let work: Distribution = text.parse().unwrap();
            for ranks in 1..=33 {
                let waits = |rank| 3.0 * (work.max(ranks, 1.0) - work.value(rank, ranks, 1.0));
                let given = [("distribution", text), ("r", "3")];
                assert_waits(&PROPERTY, ranks, &given, &["imbalance_at_mpi_barrier", "MPI_Barrier"], waits);
            }
        }
    }

    #[test]
    fn its_twin_shows_nothing() {
        for text in DISTRIBUTIONS {
            (1..=33).for_each(|ranks| assert_silent(&PROPERTY, ranks, &[("distribution", text)]));
        }
    }
}
