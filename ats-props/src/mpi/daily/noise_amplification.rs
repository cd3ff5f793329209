//! Noise that every rank waits for.

use ats_props::{Balance, Communicator, Seconds, Seed, Share, do_work, property, same_for_all};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use crate::family::uneven::allreduce;

/// Each rank is disturbed now and then, and in every allreduce all wait for the disturbed ones.
///
/// In each repetition every rank works `work`, and `noise` more with a probability of `share`; then the values of all
/// are combined for all. Rank i is hit in repetition k if the k-th number of Xoshiro256++ from `seed` + i, as a share
/// of all there are, is less.
///
/// ```text
/// hit     ├─ work ─┬─ noise ─┬ MPI_Allreduce ┤
/// others  ├─ work ─┬─ MPI_Allreduce ·········┤
///                  └─ waits ─┘
/// ```
///
/// The noise is the same share of the work however many ranks there are; but the more there are, the more often is one of
/// them hit: noise is amplified P·R/Σ nᵢ times, where rank i is hit nᵢ times and R repetitions have a hit. Rank i has `missed` R − nᵢ of
/// them. No skew is left, and no
/// other wait state shows.
#[property(
    finds = WaitAtNxN,
    at = "MPI_Allreduce",
    each = noise * missed(share, seed, r, P, i),
    cause = if alone(0..P, |j| r * work + noise * times(share, seed, r, j)) { LackOfParallelism } else { LateArrival },
    min_ranks = 2
)]
pub fn noise_amplification(
    /// Work of every rank in a repetition.
    #[default(Seconds(0.01))]
    work: Seconds,
    /// Extra work of a rank that is hit.
    #[default(Seconds(0.05))]
    noise: Seconds,
    /// Probability of a hit.
    #[default(Share(0.25))]
    share: Share,
    /// Seed of the random numbers; each rank adds its number.
    #[default(Seed(3))]
    seed: Seed,
    /// Number of repetitions.
    #[default(10)]
    r: usize,
    c: &dyn Communicator,
    balance: Balance,
) {
    let (combine, size) = (allreduce(c), c.size());
    if balance == Balance::Uneven {
        for is_hit in hits(share, seed, c.rank()).take(r) {
            do_work(work.0 + if is_hit { noise.0 } else { 0.0 });
            combine();
        }
        return;
    }
    // All share the noise of each repetition.
    let of = format!("hits of {size} ranks in {r} repetitions, share {}, seed {}", share.0, seed.0);
    for hit in &*same_for_all(&of, || hit(share, seed, size, r)) {
        do_work(work.0 + noise.0 * hit / size as f64);
        combine();
    }
}

/// The number of ranks that are hit, repetition by repetition.
fn hit(share: Share, seed: Seed, ranks: usize, r: usize) -> Vec<f64> {
    let mut hit = vec![0.0; r];
    for rank in 0..ranks {
        for (hit, is_hit) in hit.iter_mut().zip(hits(share, seed, rank)) {
            *hit += f64::from(is_hit);
        }
    }
    hit
}

/// Whether a rank is hit, repetition by repetition.
fn hits(share: Share, seed: Seed, rank: usize) -> impl Iterator<Item = bool> {
    let mut numbers = Xoshiro256PlusPlus::seed_from_u64(seed.0.wrapping_add(rank as u64));
    // The highest bits, of which every number is exact.
    std::iter::repeat_with(move || ((numbers.next_u64() >> 11) as f64) < share.0 * (1_u64 << 53) as f64)
}

/// The number of times that a rank is hit.
fn times(share: f64, seed: Seed, r: f64, rank: f64) -> f64 {
    hits(Share(share), seed, rank as usize).take(r as usize).filter(|&is_hit| is_hit).count() as f64
}

/// The number of repetitions in which other ranks are hit, and this one is not: R − nᵢ.
fn missed(share: f64, seed: Seed, r: f64, ranks: f64, rank: f64) -> f64 {
    let (share, r) = (Share(share), r as usize);
    let hit = hit(share, seed, ranks as usize, r);
    hit.iter().zip(hits(share, seed, rank as usize)).filter(|&(&hit, is_hit)| hit > 0.0 && !is_hit).count()
        as f64
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::rc::Rc;

    use ats_virtual::Simulation;
    use ats_work::{Amount, Executor, install};

    use super::*;
    use crate::{Context, Program};

    #[test]
    fn hits_are_as_frequent_as_their_share_and_the_same_for_ever() {
        let hit = (0..100).flat_map(|rank| hits(Share(0.25), Seed(1), rank).take(100));
        let count = hit.filter(|&is_hit| is_hit).count();
        assert!((2300..2700).contains(&count), "{count} of 10000");
        let first: Vec<usize> =
            (0..8).filter(|&rank| hits(Share(0.25), Seed(1), rank).next() == Some(true)).collect();
        assert_eq!(first, [2, 6]);
    }

    /// The engine, and how often something was made for all.
    struct Counting {
        engine: &'static dyn Executor,
        made: Cell<usize>,
    }

    impl Executor for Counting {
        fn work(&self, seconds: f64) {
            self.engine.work(seconds);
        }

        fn amount(&self, amount: &Amount) {
            self.engine.amount(amount);
        }

        fn enter(&self, region: &'static str) {
            self.engine.enter(region);
        }

        fn leave(&self, region: &'static str) {
            self.engine.leave(region);
        }

        fn now(&self) -> f64 {
            self.engine.now()
        }

        fn same_for_all(&self, of: &str, make: &dyn Fn() -> Vec<f64>) -> Rc<[f64]> {
            let counted = || {
                self.made.set(self.made.get() + 1);
                make()
            };
            self.engine.same_for_all(of, &counted)
        }
    }

    #[test]
    fn the_twin_draws_for_all_ranks_once_and_not_at_each() {
        let counting: Cell<Option<&Counting>> = Cell::new(None);
        let arguments = PROPERTY.arguments([]).unwrap();
        let twin = Program { property: &PROPERTY, balanced: true };
        let run = |c: &dyn Communicator| {
            if counting.get().is_none() {
                let engine = install(None).unwrap();
                let new = &*Box::leak(Box::new(Counting { engine, made: Cell::new(0) }));
                install(Some(new));
                counting.set(Some(new));
            }
            twin.run(&Context::new(Some(c), None), &arguments);
        };
        Simulation::new(33).run(run).unwrap();
        assert_eq!(counting.get().unwrap().made.get(), 1);
    }
}
