#![allow(unsafe_code, reason = "calls the system's timers through libc")]
//! Waiting in the operating system.

use crate::clock::{Clock, Monotonic};

/// Services of the operating system.
pub(crate) trait Os {
    /// Sleeps for `seconds`.
    fn sleep(&self, seconds: f64);
    /// Lets another thread have the core.
    fn give_way(&self);
}

/// The operating system as it is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct System;

impl System {
    /// Makes sleeps of this thread end as soon as the machine can; Linux else adds 50 µs to each.
    pub(crate) fn sharpen_timers(self) {
        #[cfg(target_os = "linux")]
        // SAFETY: takes plain numbers and touches nothing but this thread's timer slack.
        unsafe {
            libc::prctl(libc::PR_SET_TIMERSLACK, 1, 0, 0, 0);
        }
    }
}

impl Os for System {
    /// Sleeps until a fixed moment, so that interruptions do not lengthen it.
    #[cfg(target_os = "linux")]
    fn sleep(&self, seconds: f64) {
        let end = Monotonic.deadline(seconds);
        let end = libc::timespec {
            tv_sec: libc::time_t::try_from(end / 1_000_000_000).unwrap_or(libc::time_t::MAX),
            tv_nsec: (end % 1_000_000_000) as _,
        };
        let sleep = || {
            // SAFETY: `end` outlives the call, and a null pointer means that the rest is not wanted.
            unsafe {
                libc::clock_nanosleep(libc::CLOCK_MONOTONIC, libc::TIMER_ABSTIME, &end, std::ptr::null_mut())
            }
        };
        while sleep() == libc::EINTR {}
    }

    #[cfg(not(target_os = "linux"))]
    fn sleep(&self, seconds: f64) {
        std::thread::sleep(
            std::time::Duration::try_from_secs_f64(seconds).unwrap_or(std::time::Duration::MAX),
        );
    }

    fn give_way(&self) {
        std::thread::yield_now();
    }
}
