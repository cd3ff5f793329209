//! Actions that are due at a time.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::kernel::time::Picoseconds;

/// Actions to be carried out when nothing can happen earlier any more.
#[derive(Debug)]
pub(crate) struct Agenda<T> {
    heap: BinaryHeap<Reverse<(Picoseconds, Order, T)>>,
    entries: u64,
}

/// The order of actions at one time: lower precedence first, then earlier entry.
///
/// One number: a simulation with wildcards spends much of its time in comparing these, and two fields cost a tenth more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Order(u64);

impl Order {
    const PRECEDENCE_BITS: u32 = 24;
    const ENTRY_BITS: u32 = u64::BITS - Self::PRECEDENCE_BITS;

    fn new(precedence: u32, entry: u64) -> Self {
        debug_assert!(precedence >> Self::PRECEDENCE_BITS == 0 && entry >> Self::ENTRY_BITS == 0);
        Order(u64::from(precedence) << Self::ENTRY_BITS | entry)
    }
}

impl<T: Ord> Agenda<T> {
    /// Enters something that is due at `time`.
    pub(crate) fn push(&mut self, time: Picoseconds, precedence: u32, what: T) {
        self.entries += 1;
        self.heap.push(Reverse((time, Order::new(precedence, self.entries), what)));
    }

    /// When the next is due.
    pub(crate) fn next_time(&self) -> Option<Picoseconds> {
        self.heap.peek().map(|&Reverse((time, ..))| time)
    }

    /// Takes the next out, with when it is due.
    pub(crate) fn pop(&mut self) -> Option<(Picoseconds, T)> {
        self.heap.pop().map(|Reverse((time, _, what))| (time, what))
    }
}

impl<T: Ord> Default for Agenda<T> {
    fn default() -> Self {
        Agenda { heap: BinaryHeap::new(), entries: 0 }
    }
}
