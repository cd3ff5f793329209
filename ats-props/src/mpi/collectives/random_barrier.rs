//! Waiting at a barrier for ranks drawn by lot.

use ats_props::{Balance, Communicator, Seconds, Seed, do_work, property};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// All ranks wait at a barrier for one that is drawn by lot, each time anew.
///
/// In each repetition one rank works `work`, and all go to a barrier. The next number of Xoshiro256++ from `seed`,
/// modulo P, decides which rank works: rank i is `drawn` so often.
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
    formula = r * (P - 1) * work,
    at = "MPI_Barrier",
    each = work * (r - drawn(seed, r, P, i)),
    cause = if alone(0..P, |j| drawn(seed, r, P, j)) { LackOfParallelism } else { LateArrival },
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
    balance: Balance,
) {
    // In the twin all share the work each time.
    let share = balance.pick(work.0, work.0 / c.size() as f64);
    for chosen in lots(seed, c.size()).take(r) {
        if balance == Balance::Even || chosen == c.rank() {
            do_work(share);
        }
        c.barrier();
    }
}

/// Ranks, as they are drawn: the same on each of them.
fn lots(seed: Seed, ranks: usize) -> impl Iterator<Item = usize> {
    let mut numbers = Xoshiro256PlusPlus::seed_from_u64(seed.0);
    std::iter::repeat_with(move || (numbers.next_u64() % ranks as u64) as usize)
}

/// The number of repetitions in which a rank is drawn.
fn drawn(seed: Seed, r: f64, ranks: f64, rank: f64) -> f64 {
    lots(seed, ranks as usize).take(r as usize).filter(|&drawn| drawn == rank as usize).count() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_draws_the_same_ranks_for_ever() {
        assert_eq!(lots(Seed(1), 4).take(10).collect::<Vec<_>>(), [3, 1, 0, 2, 0, 1, 3, 1, 0, 2]);
    }
}
