//! Schedules of a loop's iterations (OpenMP 5.0, section 2.9.2).

use std::num::NonZeroUsize;

/// The assignment of a loop's iterations to threads. Chunks are at least one iteration long: a chunk of 0 counts as 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Schedule {
    /// One block of iterations per thread, as equal as possible: the first threads get one more.
    Static,
    /// Chunks of this many iterations, to the threads in turn.
    StaticChunk(usize),
    /// Chunks of this many iterations, each to the thread that asks next.
    Dynamic(usize),
    /// As [`Schedule::Dynamic`], but the runtime may give a thread chunks in any order, and start from a static share.
    DynamicNonmonotonic(usize),
    /// Ever smaller chunks, down to this many iterations, each to the thread that asks next.
    Guided(usize),
}

impl Schedule {
    /// Whether the threads' shares are known in advance.
    pub fn is_static(self) -> bool {
        matches!(self, Schedule::Static | Schedule::StaticChunk(_))
    }

    /// The length of a chunk, or its minimum; none for [`Schedule::Static`].
    pub fn chunk(self) -> Option<NonZeroUsize> {
        match self {
            Schedule::Static => None,
            Schedule::StaticChunk(chunk)
            | Schedule::Dynamic(chunk)
            | Schedule::DynamicNonmonotonic(chunk)
            | Schedule::Guided(chunk) => NonZeroUsize::new(chunk.max(1)),
        }
    }
}
