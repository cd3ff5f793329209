//! Arithmetic, each operation on the result of the last.

use std::array;
use std::hint::black_box;
use std::ops::{Add, BitXor, Mul};

use crate::amount::Multiplications;

/// Really does `n` floating-point operations and returns the result.
pub(crate) fn flops(n: u64) -> f64 {
    // Neither overflows nor vanishes: the result tends to 2.
    multiply_add(n, black_box(1.0), black_box(0.5), black_box(1.0))
}

/// Really does `n` integer operations and returns the result.
pub(crate) fn int_ops(n: u64) -> u64 {
    use std::num::Wrapping;
    multiply_xor(
        n,
        black_box(Wrapping(1)),
        black_box(Wrapping(0x5851_f42d_4c95_7f2d)),
        black_box(Wrapping(1)),
    )
    .0
}

#[inline]
fn multiply_add<N: Copy + Mul<Output = N> + Add<Output = N>>(n: u64, start: N, factor: N, summand: N) -> N {
    let pairs = (0..n / 2).fold(start, |x, _| x * factor + summand);
    if n.is_multiple_of(2) { pairs } else { pairs * factor }
}

#[inline]
fn multiply_xor<N: Copy + Mul<Output = N> + BitXor<Output = N>>(n: u64, start: N, factor: N, mask: N) -> N {
    let pairs = (0..n / 2).fold(start, |x, _| (x * factor) ^ mask);
    if n.is_multiple_of(2) { pairs } else { pairs * factor }
}

/// The number of chains of independent multiplications: more than a processor takes steps for one, so that it need not
/// wait for any of them (four steps and two multiplications at a time on those of today).
const CHAINS: usize = 8;

/// Really does the multiplications and returns the product.
pub(crate) fn multiplications(work: &Multiplications) -> f64 {
    let start = if work.subnormal { f64::MIN_POSITIVE / 4.0 } else { 1.5 };
    // Times 1, which the compiler does not know: numbers keep their size.
    let factor = black_box(1.0);
    if work.independent {
        // As each is a number of its own, the compiler cannot multiply one for all.
        let chains: [f64; CHAINS] = array::from_fn(|_| black_box(start));
        multiply(work.number, chains, factor).into_iter().sum()
    } else {
        multiply(work.number, [black_box(start)], factor)[0]
    }
}

/// Multiplies the numbers in turn.
#[inline]
fn multiply<N: Copy + Mul<Output = N>, const CHAINS: usize>(
    n: u64,
    start: [N; CHAINS],
    factor: N,
) -> [N; CHAINS] {
    let mut chains = start;
    for _ in 0..n / CHAINS as u64 {
        // Without a call in it, as `map` of an array may be.
        for number in &mut chains {
            *number = *number * factor;
        }
    }
    let rest = (n % CHAINS as u64) as usize;
    chains[..rest].iter_mut().for_each(|number| *number = *number * factor);
    chains
}

/// Really converts `n` integers to floating-point numbers, each made of the last one's bits, and returns the last.
pub(crate) fn conversions(n: u64) -> f64 {
    (0..n).fold(black_box(3.0), |x: f64, _| f64::from((x.to_bits() >> 24) as i32))
}

/// Really adds `n` floating-point numbers, each to the sum of the others, and returns the sum.
pub(crate) fn additions(n: u64) -> f64 {
    let summand = black_box(0.5);
    (0..n).fold(black_box(3.0), |sum: f64, _| sum + summand)
}

/// Really evaluates sine and cosine `n` times each and returns a sum of the last ones.
pub(crate) fn sines(n: u64) -> f64 {
    let (mut sine, mut cosine) = black_box((0.5_f64, 0.5_f64));
    for _ in 0..n {
        // Of different numbers, as the two of one number may be one call.
        (sine, cosine) = ((sine + 1.0).sin(), (cosine + 2.0).cos());
    }
    sine + cosine
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;

    thread_local! {
        static OPERATIONS: RefCell<String> = const { RefCell::new(String::new()) };
    }

    /// A number that notes the operations on it.
    #[derive(Clone, Copy)]
    struct Noted;

    impl Noted {
        fn note(self, operation: char) -> Self {
            OPERATIONS.with_borrow_mut(|operations| operations.push(operation));
            self
        }
    }

    impl Mul for Noted {
        type Output = Self;
        fn mul(self, _: Self) -> Self {
            self.note('*')
        }
    }

    impl Add for Noted {
        type Output = Self;
        fn add(self, _: Self) -> Self {
            self.note('+')
        }
    }

    impl BitXor for Noted {
        type Output = Self;
        fn bitxor(self, _: Self) -> Self {
            self.note('^')
        }
    }

    #[test]
    fn arithmetic_is_done_as_often_as_asked() {
        for (n, flops, int_ops) in [(0, "", ""), (1, "*", "*"), (2, "*+", "*^"), (5, "*+*+*", "*^*^*")] {
            multiply_add(n, Noted, Noted, Noted);
            assert_eq!(OPERATIONS.take(), flops);
            multiply_xor(n, Noted, Noted, Noted);
            assert_eq!(OPERATIONS.take(), int_ops);
        }
        multiply_add(9_999, Noted, Noted, Noted);
        assert_eq!(OPERATIONS.take().len(), 9_999);
    }

    #[test]
    fn arithmetic_comes_out_right() {
        assert_eq!([0, 1, 2, 3, 4, 6].map(flops), [1.0, 0.5, 1.5, 0.75, 1.75, 1.875]);
        let factor = 0x5851_f42d_4c95_7f2d_u64;
        assert_eq!([0, 1, 2].map(int_ops), [1, factor, factor ^ 1]);
        assert_eq!(int_ops(3), (factor ^ 1).wrapping_mul(factor));
    }

    #[test]
    fn multiplications_are_done_as_often_as_asked() {
        for n in [0, 1, 7, 8, 9, 1_000] {
            multiply(n, [Noted], Noted);
            assert_eq!(OPERATIONS.take(), "*".repeat(n as usize));
            multiply(n, [Noted; CHAINS], Noted);
            assert_eq!(OPERATIONS.take(), "*".repeat(n as usize));
        }
    }

    #[test]
    fn numbers_keep_their_size() {
        for independent in [false, true] {
            let product =
                |subnormal| multiplications(&Multiplications { number: 100, independent, subnormal });
            assert!(product(false) >= 1.5 && product(true) > 0.0 && product(true) < 1e-300);
        }
        assert_eq!(additions(4), 5.0);
        assert_eq!(conversions(0), 3.0);
        assert_eq!(conversions(2), f64::from((conversions(1).to_bits() >> 24) as i32));
        assert_eq!(sines(1), 1.5_f64.sin() + 2.5_f64.cos());
    }
}
