//! The clocks that work is timed with.

mod posix;
#[cfg(target_arch = "x86_64")]
mod tsc;

pub(crate) use posix::{Monotonic, ThreadCpu};
#[cfg(target_arch = "x86_64")]
pub(crate) use tsc::Tsc;
#[cfg(target_arch = "x86_64")]
pub use tsc::tsc_is_usable;

/// A clock that counts ticks.
pub(crate) trait Clock {
    /// The number of iterations of work between two readings: few if a reading is cheap.
    const CHUNK: u64;
    /// Ticks since some fixed moment.
    fn now(&self) -> u64;
    /// The number of ticks in a second.
    fn ticks_per_second(&self) -> f64;

    /// When `seconds` from now will have passed.
    fn deadline(&self, seconds: f64) -> u64 {
        self.now().saturating_add((seconds * self.ticks_per_second()) as u64)
    }
}

/// The cheapest clock of this machine that is also right.
#[derive(Clone, Copy, Debug)]
pub(crate) enum FastClock {
    #[cfg(target_arch = "x86_64")]
    Tsc(Tsc),
    Monotonic(Monotonic),
}

impl FastClock {
    /// The clock, whose ticks per second `rate` tells if it is not one that counts nanoseconds.
    pub(crate) fn new(rate: impl FnOnce() -> f64) -> Self {
        #[cfg(target_arch = "x86_64")]
        if tsc_is_usable() {
            return FastClock::Tsc(Tsc { ticks_per_second: rate() });
        }
        let _ = rate;
        FastClock::Monotonic(Monotonic)
    }
}
