//! Loads and stores.

use std::hint::black_box;
use std::ops::{Add, Mul};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::amount::{Chase, Triad};
use crate::cores::require_two;
use crate::mapping::{Mapping, PageSize};
use crate::{MemoryWork, checksum};

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

    #[inline]
    fn load(&self, at: usize) -> u64 {
        self[at].load(Ordering::Relaxed)
    }

    #[inline]
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

/// The memory that a thread chases through: the lines of one cycle.
#[derive(Default)]
pub(crate) struct Lines {
    /// The chase that it was made for, without rounds.
    made_for: Option<Chase>,
    /// In the first word of each line the index of the first word of the next one.
    words: Mapping,
}

impl Lines {
    /// Really does the loads and returns the index of the last line's first word.
    ///
    /// The cycle is made by the first chase of its shape, be it of no rounds.
    pub(crate) fn chase(&mut self, work: &Chase) -> u64 {
        let shape = Chase { rounds: 0, ..*work };
        if self.made_for != Some(shape) {
            let size = if work.huge_pages { PageSize::Huge } else { PageSize::Small };
            let stride = stride(work);
            self.words = Mapping::new(work.lines as usize * stride * size_of::<u64>(), size);
            for (line, next) in cycle(work.lines).into_iter().enumerate() {
                self.words.words()[line * stride].store(next * stride as u64, Ordering::Relaxed);
            }
            self.made_for = Some(shape);
        }
        chase(self.words.words(), work.lines * work.rounds)
    }
}

/// Words from one line to the next.
fn stride(work: &Chase) -> usize {
    (work.stride_bytes / WORD_BYTES).max(1) as usize
}

/// The successor of each line in a random cycle of all of them, by Sattolo's algorithm. It is the same in each run: a chase
/// in another order would not have other misses.
fn cycle(lines: u64) -> Vec<u64> {
    let mut next: Vec<u64> = (0..lines).collect();
    for last in (1..lines).rev() {
        next.swap(last as usize, (checksum::random(last) % last) as usize);
    }
    next
}

/// Loads that each give the place of the next one.
fn chase<W: Words + ?Sized>(words: &W, loads: u64) -> u64 {
    (0..loads).fold(0, |at, _| words.load(at as usize))
}

/// The three arrays of a thread's triad, one after the other: floating-point numbers.
#[derive(Default)]
pub(crate) struct Arrays(Vec<f64>);

impl Arrays {
    /// Really does the loads, stores and operations, and returns the number of elements.
    pub(crate) fn triad(&mut self, work: &Triad) -> u64 {
        let elements = work.elements as usize;
        if work.streams > 1 {
            require_two("threads stream through memory");
        }
        if self.0.len() < 3 * elements {
            self.0.resize(3 * elements, 1.0);
        }
        let (sums, others) = self.0.split_at_mut(elements);
        let (summands, factors) = others.split_at(elements);
        for _ in 0..work.rounds {
            triad(sums, summands, &factors[..elements], black_box(0.5));
            // Each round is done, although it computes what the last one did.
            black_box(&mut *sums);
        }
        work.elements
    }
}

/// Each sum is a summand plus a multiple of another number.
#[inline]
fn triad<N: Copy + Mul<Output = N> + Add<Output = N>>(
    sums: &mut [N],
    summands: &[N],
    others: &[N],
    factor: N,
) {
    for ((sum, &summand), &other) in sums.iter_mut().zip(summands).zip(others) {
        *sum = summand + factor * other;
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;

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

    #[test]
    fn a_chase_loads_each_line_once_in_a_round() {
        for lines in [1, 2, 3, 64, 1_000] {
            let next = cycle(lines);
            let (mut at, mut seen) = (0, vec![false; lines as usize]);
            for _ in 0..lines {
                assert!(!seen[at as usize], "{lines} lines: line {at} comes twice");
                seen[at as usize] = true;
                at = next[at as usize];
            }
            assert_eq!(at, 0, "{lines} lines: a cycle");
        }
        let shape = Chase { lines: 10, stride_bytes: 64, rounds: 0, huge_pages: false };
        let mut memory = Lines::default();
        for rounds in [0, 1, 3] {
            assert_eq!(memory.chase(&Chase { rounds, ..shape }), 0, "it ends where it began");
        }
        let words = Noting::default();
        assert_eq!(chase(&words, 0), 0);
        assert!(words.loads.take().is_empty());
        chase(&words, 5);
        assert_eq!(words.loads.take(), [0, 10, 10, 10, 10]);
    }

    #[test]
    fn a_triad_computes_each_element() {
        let mut sums = [0; 2];
        triad(&mut sums, &[1, 2], &[10, 20], 3);
        assert_eq!(sums, [31, 62]);
        let mut arrays = Arrays::default();
        arrays.triad(&Triad { elements: 3, rounds: 0, streams: 1 });
        assert_eq!(arrays.0, [1.0; 9]);
        arrays.triad(&Triad { elements: 3, rounds: 2, streams: 1 });
        assert_eq!(arrays.0, [1.5, 1.5, 1.5, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0]);
        arrays.triad(&Triad { elements: 1, rounds: 1, streams: 1 });
        assert_eq!(arrays.0[0], 1.5 + 0.5 * 1.5, "the other arrays begin behind the first");
    }
}
