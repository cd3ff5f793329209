//! The system's clocks.

use super::Clock;
use crate::log::{now_ns, processor_ns};

/// The system's monotonic clock, in nanoseconds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Monotonic;

impl Clock for Monotonic {
    const CHUNK: u64 = 64;

    #[inline]
    fn now(&self) -> u64 {
        now_ns()
    }

    fn ticks_per_second(&self) -> f64 {
        1e9
    }
}

/// The processor time of the calling thread, in nanoseconds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ThreadCpu;

impl Clock for ThreadCpu {
    /// Every reading is a system call.
    const CHUNK: u64 = 256;

    #[inline]
    fn now(&self) -> u64 {
        processor_ns()
    }

    fn ticks_per_second(&self) -> f64 {
        1e9
    }
}
