//! The report's work: random reads and writes in two arrays (section 3.1.1).

use std::hint::black_box;

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::Rng;

/// Elements of each array: together 512 KiB, more than a first-level cache holds.
const ELEMENTS: usize = 1 << 15;

/// One iteration: reads and writes an element of each array, at random places.
#[inline(always)]
pub(crate) fn exchange<const N: usize>(first: &mut [u64; N], second: &mut [u64; N], random: u64) {
    let first = &mut first[random as usize % N];
    let second = &mut second[(random >> 32) as usize % N];
    (*first, *second) = (second.wrapping_add(1), *first);
}

/// Two arrays and a generator that belong to one thread.
pub(crate) struct RandomAccess {
    first: Box<[u64; ELEMENTS]>,
    second: Box<[u64; ELEMENTS]>,
    generator: Xoshiro256PlusPlus,
}

impl RandomAccess {
    pub(crate) fn new(mut generator: Xoshiro256PlusPlus) -> Self {
        let mut array = || {
            let elements: Box<[u64]> = (0..ELEMENTS).map(|_| generator.next_u64()).collect();
            elements.try_into().expect("as many were made")
        };
        RandomAccess { first: array(), second: array(), generator }
    }

    /// Does `n` iterations, each of two reads and two writes at random places.
    #[inline(never)]
    pub(crate) fn iterate(&mut self, n: u64) {
        let mut generator = self.generator.clone();
        for _ in 0..n {
            exchange(&mut self.first, &mut self.second, generator.next_u64());
        }
        self.generator = generator;
        black_box((&mut self.first, &mut self.second));
    }

    /// A number that depends on every iteration since the start.
    pub(crate) fn checksum(&self) -> u64 {
        let next = self.generator.clone().next_u64();
        self.first
            .iter()
            .chain(self.second.iter())
            .fold(next, |sum, element| (sum ^ element).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23))
    }
}

#[cfg(test)]
mod tests {
    use rand_xoshiro::rand_core::SeedableRng;

    use super::*;

    fn seeded(seed: u64) -> RandomAccess {
        RandomAccess::new(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    #[test]
    fn equal_seeds_and_iterations_give_equal_checksums() {
        let (mut a, mut b) = (seeded(7), seeded(7));
        a.iterate(1_000);
        (0..10).for_each(|_| b.iterate(100));
        assert_eq!(a.checksum(), b.checksum());
    }

    #[test]
    fn one_iteration_more_or_another_seed_gives_another_checksum() {
        let (mut a, mut b, mut c) = (seeded(7), seeded(7), seeded(8));
        a.iterate(1_000);
        b.iterate(1_001);
        c.iterate(1_000);
        assert_ne!(a.checksum(), b.checksum());
        assert_ne!(a.checksum(), c.checksum());
    }

    #[test]
    fn an_iteration_exchanges_two_elements_and_adds_one() {
        let mut work = seeded(1);
        let sum = |w: &RandomAccess| {
            w.first.iter().chain(w.second.iter()).fold(0u64, |sum, element| sum.wrapping_add(*element))
        };
        let before = sum(&work);
        work.iterate(12_345);
        assert_eq!(sum(&work), before.wrapping_add(12_345));
    }
}
