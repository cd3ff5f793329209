#![allow(unsafe_code, reason = "reads the system's clocks through libc")]
//! The system's clocks.

use super::Clock;
use crate::log::now_ns;

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
        let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        // SAFETY: `time` is a valid place for the result; should the clock be missing, it stays zero.
        unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) };
        time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
    }

    fn ticks_per_second(&self) -> f64 {
        1e9
    }
}
