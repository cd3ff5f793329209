//! Worksharing constructs, whose parts a team shares out.

use std::ops::Range;

use ats_model::openmp::Construct;

use crate::kernel::time::Picoseconds;

/// A worksharing construct that not all members of a team have left.
#[derive(Debug)]
pub(crate) struct Worksharing {
    pub(crate) construct: Construct,
    /// The member that came first.
    pub(crate) by: u32,
    pub(crate) left: u32,
    /// The first iteration not yet taken; in a single, 1 once a thread executes it.
    pub(crate) next: usize,
    /// In an ordered loop: the iteration whose turn it is, the time of its turn, and the threads that wait for theirs.
    pub(crate) turn: usize,
    pub(crate) turn_since: Picoseconds,
    pub(crate) waiting: Vec<(usize, u32)>,
}

impl Worksharing {
    /// That the member `by` is the first to encounter.
    pub(crate) fn new(construct: Construct, by: u32) -> Self {
        Worksharing { construct, by, left: 0, next: 0, turn: 0, turn_since: 0, waiting: Vec::new() }
    }
}

/// The block of `count` things that member `number` of `threads` gets: the first members get one more.
pub(crate) fn block(count: usize, threads: usize, number: usize) -> Range<usize> {
    let (each, more) = (count / threads, count % threads);
    let start = number * each + number.min(more);
    start..start + each + usize::from(number < more)
}
