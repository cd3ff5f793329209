//! The checksum of a program: its requested work, the results of the work, and the communicated data.
//!
//! Every piece of work and every delivered message is an [`Item`], and the items are added up. So the sum depends on
//! each of them, but not on the thread that it fell to, on the order, or on the duration of work: a program with the
//! same parameters, ranks and threads has the same sum in every run, with a tool and without.
//!
//! Off until [`start`]; then a piece of work costs less than 0.1 µs for it.

use std::hint::black_box;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::Amount;
use crate::random_access::exchange;

static STARTED: AtomicBool = AtomicBool::new(false);
static SUM: AtomicU64 = AtomicU64::new(0);

/// Starts the checksum of the process anew.
pub fn start() {
    SUM.store(0, Ordering::Relaxed);
    STARTED.store(true, Ordering::Relaxed);
}

/// Whether there is a checksum.
#[inline]
pub fn is_started() -> bool {
    STARTED.load(Ordering::Relaxed)
}

/// The checksum of everything that the threads of the process have done since [`start`].
pub fn sum() -> u64 {
    SUM.load(Ordering::Relaxed)
}

/// Adds an item of computed or communicated data.
pub fn add(Item(item): Item) {
    SUM.fetch_add(item, Ordering::Relaxed);
}

/// Something that was computed or communicated, as a number that depends on each of its parts and their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Item(u64);

impl Item {
    /// Begins an item of this name, such as `MPI_Recv`.
    pub const fn new(name: &str) -> Self {
        let name = name.as_bytes();
        let (mut item, mut at) = (Item(name.len() as u64), 0);
        while at < name.len() {
            item = item.with(name[at] as u64);
            at += 1;
        }
        item
    }

    /// With one more part.
    #[inline]
    pub const fn with(self, part: u64) -> Self {
        Item(mixed(self.0.wrapping_add(GOLDEN) ^ part))
    }

    /// The number.
    pub fn number(self) -> u64 {
        self.0
    }
}

/// 2⁶⁴ divided by the golden ratio: its multiples are spread evenly.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// Every bit of the result depends on every bit of the number (the finalizer of SplitMix64).
#[inline]
const fn mixed(number: u64) -> u64 {
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

/// The random number of this index, the same in every run: a number of the sequence of SplitMix64.
#[inline]
pub(crate) const fn random(index: u64) -> u64 {
    mixed(index.wrapping_mul(GOLDEN).wrapping_add(GOLDEN))
}

/// Adds work that takes a time: the nanoseconds asked for, and the result of one piece of such work, which is always
/// of the same length. The number of pieces that fit into the time depends on the machine.
pub(crate) fn add_work(seed: u64, seconds: f64) {
    const WORK: Item = Item::new("do_work");
    if is_started() {
        let nanoseconds = (seconds * 1e9 + 0.5) as u64;
        add(WORK.with(nanoseconds).with(computed(seed ^ nanoseconds)));
    }
}

/// Adds work by amount, with its result.
pub(crate) fn add_amount(amount: &Amount, result: u64) {
    if is_started() {
        let named = Item::new(amount.name());
        let item = amount.with_parts(|parts| parts.iter().fold(named, |item, &part| item.with(part)));
        add(if amount.has_result() { item.with(result) } else { item });
    }
}

/// The result of the report's work on two small arrays, with the random numbers of SplitMix64.
fn computed(seed: u64) -> u64 {
    const ELEMENTS: usize = 4;
    const ITERATIONS: usize = 8;
    let mut state = seed;
    let mut random = || {
        state = state.wrapping_add(GOLDEN);
        mixed(state)
    };
    let mut first: [u64; ELEMENTS] = std::array::from_fn(|_| random());
    let mut second: [u64; ELEMENTS] = std::array::from_fn(|_| random());
    for _ in 0..ITERATIONS {
        exchange(&mut first, &mut second, random());
    }
    let (first, second) = black_box((first, second));
    first.iter().chain(&second).fold(0, |sum: u64, element| sum.rotate_left(7) ^ element)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_item_depends_on_each_of_its_parts_and_on_their_order() {
        let item = |name, parts: &[u64]| parts.iter().fold(Item::new(name), |item, part| item.with(*part));
        let one = item("MPI_Recv", &[1, 2, 3]);
        assert_eq!(one, item("MPI_Recv", &[1, 2, 3]));
        for other in [
            item("MPI_Send", &[1, 2, 3]),
            item("MPI_Recv\0", &[1, 2, 3]),
            item("MPI_Recv", &[1, 3, 2]),
            item("MPI_Recv", &[1, 2]),
            item("MPI_Recv", &[1, 2, 3, 0]),
            item("MPI_Recv", &[1, 2, 3 | 1 << 63]),
        ] {
            assert_ne!(one, other);
        }
    }

    #[test]
    fn a_piece_computes_the_same_whenever_it_has_the_same_seed() {
        assert_eq!(computed(7), computed(7));
        assert_ne!(computed(7), computed(8));
    }
}
