//! What is due, and when.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::kernel::time::Picoseconds;

/// What is to happen when nothing can happen earlier any more, by time.
#[derive(Debug)]
pub(crate) struct Agenda<T> {
    heap: BinaryHeap<Reverse<Entry<T>>>,
    entries: u64,
}

/// What orders an agenda: the fields from the first on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Entry<T> {
    time: Picoseconds,
    /// Among those of one time the lowest goes first,
    precedence: u32,
    /// then what was entered first.
    number: u64,
    what: T,
}

impl<T: Ord> Agenda<T> {
    /// Enters something that is due at `time`.
    pub(crate) fn push(&mut self, time: Picoseconds, precedence: u32, what: T) {
        self.entries += 1;
        self.heap.push(Reverse(Entry { time, precedence, number: self.entries, what }));
    }

    /// When the next is due.
    pub(crate) fn next_time(&self) -> Option<Picoseconds> {
        self.heap.peek().map(|Reverse(entry)| entry.time)
    }

    /// Takes the next out, with when it is due.
    pub(crate) fn pop(&mut self) -> Option<(Picoseconds, T)> {
        self.heap.pop().map(|Reverse(entry)| (entry.time, entry.what))
    }
}

impl<T: Ord> Default for Agenda<T> {
    fn default() -> Self {
        Agenda { heap: BinaryHeap::new(), entries: 0 }
    }
}
