//! Branches that go by random bits.

use std::hint::black_box;

use crate::amount::Branches;
use crate::checksum;

/// Really takes the branches and returns the number of those whose bit was set.
pub(crate) fn branches(work: &Branches) -> u64 {
    // A bit is set if a random number is below the part of all numbers that are to be.
    let limit = (work.share.clamp(0.0, 1.0) * 2_f64.powi(64)) as u64;
    let (is_certain, first) = (work.share >= 1.0, checksum::random(work.seed));
    let (mut set, mut number) = (0, black_box(1_u64));
    for at in 0..work.number {
        // Numbers behind `black_box` keep the two ways apart: else they would be a conditional move.
        if is_certain | (checksum::random(first.wrapping_add(at)) < limit) {
            set += 1;
            number = black_box(number).wrapping_mul(3);
        } else {
            number = black_box(number) ^ 5;
        }
    }
    black_box(number);
    set
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_bits_are_set_as_asked_for() {
        let set = |share, seed| branches(&Branches { number: 100_000, share, seed });
        assert_eq!((set(0.0, 1), set(1.0, 1)), (0, 100_000));
        for share in [0.1_f64, 0.5, 0.9] {
            // Three standard deviations.
            let bound = 3.0 * (100_000.0 * share * (1.0 - share)).sqrt();
            assert!((set(share, 1) as f64 - 100_000.0 * share).abs() < bound, "{share}: {}", set(share, 1));
        }
        assert_eq!(set(0.5, 1), set(0.5, 1));
        assert_ne!(set(0.5, 0), set(0.5, 1));
    }
}
