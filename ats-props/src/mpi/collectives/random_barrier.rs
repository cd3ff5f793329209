//! Waiting at a barrier for ranks drawn by lot.

use ats_props::{Communicator, Seconds, Seed, do_work, property};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// All ranks wait at a barrier for one that is drawn by lot, each time anew.
///
/// In each repetition one rank works `work`, and all go to a barrier. The next number of Xoshiro256++ from `seed`,
/// modulo P, decides which rank works.
///
/// ```text
/// one     ├─ work ──────┬─ MPI_Barrier ┤
/// others  ├─ MPI_Barrier ··············┤
///         └─ waits ─────┘
/// ```
///
/// In the long run all work and wait alike, so that sums over time look balanced. No skew is left, and no other wait
/// state shows.
#[property(
    finds = WaitAtBarrier,
    formula = "W = r·(P−1)·work, (r − times it was drawn)·work at each rank",
    cause = LateArrival,
    cause = LackOfParallelism,
    min_ranks = 2
)]
pub fn random_barrier(
    /// Work of the rank that is drawn.
    #[default(Seconds(0.02))]
    work: Seconds,
    /// Seed of the random numbers.
    #[default(Seed(1))]
    seed: Seed,
    /// Number of repetitions.
    #[default(10)]
    r: usize,
    c: &dyn Communicator,
) {
    for chosen in lots(seed, c.size()).take(r) {
        if chosen == c.rank() {
            do_work(work.0);
        }
        c.barrier();
    }
}

/// All share the work each time.
pub fn balanced(work: Seconds, _: Seed, r: usize, c: &dyn Communicator) {
    for _ in 0..r {
        do_work(work.0 / c.size() as f64);
        c.barrier();
    }
}

/// Ranks, as they are drawn: the same on each of them.
fn lots(seed: Seed, ranks: usize) -> impl Iterator<Item = usize> {
    let mut numbers = Xoshiro256PlusPlus::seed_from_u64(seed.0);
    std::iter::repeat_with(move || (numbers.next_u64() % ranks as u64) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{RANKS, assert_silent, assert_waits};

    #[test]
    fn all_wait_for_whom_is_drawn() {
        for (ranks, seed) in RANKS.into_iter().flat_map(|ranks| [(ranks, 1), (ranks, 42)]) {
            let drawn: Vec<usize> = lots(Seed(seed), ranks).take(40).collect();
            let waits =
                |rank| 0.02 * drawn.iter().filter(|&&chosen| ranks > 1 && chosen != rank).count() as f64;
            let given = [("seed", &*seed.to_string()), ("r", "40")];
            assert_waits(&PROPERTY, ranks, &given, &["random_barrier", "MPI_Barrier"], waits);
            assert_silent(&PROPERTY, ranks, &given);
        }
    }

    #[test]
    fn a_seed_draws_the_same_ranks_for_ever() {
        assert_eq!(lots(Seed(1), 4).take(10).collect::<Vec<_>>(), [3, 1, 0, 2, 0, 1, 3, 1, 0, 2]);
    }
}
