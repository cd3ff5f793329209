//! Doing an exact number of operations.
//!
//! The loops are generic over the operation, so that the tests run the very same loops on numbers and memory that
//! count.

use std::hint::black_box;
use std::ops::{Add, BitXor, Mul};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::MemoryWork;

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

const WORD_BYTES: u64 = size_of::<u64>() as u64;

/// The memory that a thread's loads and stores walk through; grows to the largest working set.
///
/// Its words are atomic because relaxed atomic accesses are plain loads and stores that the compiler neither drops nor
/// merges.
#[derive(Default)]
pub(crate) struct Memory(Vec<AtomicU64>);

impl Memory {
    /// Really does the loads and stores and returns the sum of the loaded words.
    pub(crate) fn walk(&mut self, work: &MemoryWork) -> u64 {
        let words = usize::try_from(work.working_set_bytes / WORD_BYTES).unwrap_or(usize::MAX).max(1);
        if self.0.len() < words {
            // Written, not only reserved, so that every page is there before it counts.
            self.0.resize_with(words, || AtomicU64::new(1));
        }
        walk(&self.0[..words], work)
    }
}

trait Words {
    fn count(&self) -> usize;
    fn load(&self, at: usize) -> u64;
    fn store(&self, at: usize, value: u64);
}

impl Words for [AtomicU64] {
    fn count(&self) -> usize {
        self.len()
    }

    fn load(&self, at: usize) -> u64 {
        self[at].load(Ordering::Relaxed)
    }

    fn store(&self, at: usize, value: u64) {
        self[at].store(value, Ordering::Relaxed);
    }
}

fn walk<W: Words + ?Sized>(words: &W, work: &MemoryWork) -> u64 {
    let count = words.count();
    let stride = usize::try_from(work.stride_bytes / WORD_BYTES).unwrap_or(usize::MAX).max(1) % count;
    let (mut at, mut sum) = (0, 0u64);
    let mut next = || {
        let here = at;
        at += stride;
        if at >= count {
            at -= count;
        }
        here
    };
    let both = work.loads.min(work.stores);
    for turn in 0..both {
        let here = next();
        sum = sum.wrapping_add(words.load(here));
        words.store(here, turn);
    }
    for _ in both..work.loads {
        sum = sum.wrapping_add(words.load(next()));
    }
    for turn in both..work.stores {
        words.store(next(), turn);
    }
    sum
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

    /// Four words that note each load and store.
    #[derive(Default)]
    struct Noting {
        loads: RefCell<Vec<usize>>,
        stores: RefCell<Vec<(usize, u64)>>,
    }

    impl Words for Noting {
        fn count(&self) -> usize {
            4
        }

        fn load(&self, at: usize) -> u64 {
            self.loads.borrow_mut().push(at);
            10
        }

        fn store(&self, at: usize, value: u64) {
            self.stores.borrow_mut().push((at, value));
        }
    }

    fn noted(loads: u64, stores: u64, stride_bytes: u64) -> (Vec<usize>, Vec<(usize, u64)>) {
        let words = Noting::default();
        let sum = walk(&words, &MemoryWork { loads, stores, working_set_bytes: 32, stride_bytes });
        assert_eq!(sum, 10 * loads);
        (words.loads.into_inner(), words.stores.into_inner())
    }

    #[test]
    fn the_walk_loads_and_stores_where_and_as_often_as_asked() {
        assert_eq!(noted(5, 2, 8), (vec![0, 1, 2, 3, 0], vec![(0, 0), (1, 1)]));
        assert_eq!(noted(1, 4, 24), (vec![0], vec![(0, 0), (3, 1), (2, 2), (1, 3)]));
        assert_eq!(noted(3, 0, 16), (vec![0, 2, 0], vec![]));
        assert_eq!(
            noted(0, 3, 32),
            (vec![], vec![(0, 0), (0, 1), (0, 2)]),
            "a stride of the whole working set"
        );
        assert_eq!(noted(2, 0, 0), (vec![0, 1], vec![]), "less than a word counts as one");
    }

    #[test]
    fn memory_keeps_what_was_stored() {
        let mut memory = Memory::default();
        let work = |loads, stores, working_set_bytes| MemoryWork {
            loads,
            stores,
            working_set_bytes,
            stride_bytes: 8,
        };
        assert_eq!(memory.walk(&work(10, 0, 80)), 10, "every word starts as 1");
        assert_eq!(memory.walk(&work(0, 10, 80)), 0);
        assert_eq!(memory.walk(&work(10, 0, 80)), 45, "word n was stored last in turn n");
        assert_eq!(memory.walk(&work(20, 0, 160)), 55, "a larger working set keeps the smaller one");
        assert_eq!(memory.walk(&work(3, 0, 0)), 0, "no working set is a single word");
    }
}
