//! The taking of samples: interrupts of each recorded thread after so much of its own processor time, which show in which
//! function of the program it is.
//!
//! A timer of the thread sends it a signal. The [`taking`] of a sample, in the handler, allocates nothing, takes no lock
//! and asks nobody: it finds the calls by tables of the loaded [`modules`] that never change, and leaves them in the thread's
//! [`crate::samples::sampler`]. Others move them from there into the thread's track: a [`helper`] while there are many of
//! them, and whoever writes the track. Nothing of this is on the way of an event.
//!
//! The [`signal`] is one that the program does not handle. Samples within the recorder, so in calls of MPI, are left out,
//! and those with no function of the program on the stack: what threads do in between is known from events.

#[cfg(all(target_os = "linux", target_env = "gnu", any(target_arch = "x86_64", target_arch = "aarch64")))]
mod helper;
#[cfg(all(target_os = "linux", target_env = "gnu", any(target_arch = "x86_64", target_arch = "aarch64")))]
mod modules;
#[cfg(all(target_os = "linux", target_env = "gnu", any(target_arch = "x86_64", target_arch = "aarch64")))]
mod signal;
#[cfg(all(target_os = "linux", target_env = "gnu", any(target_arch = "x86_64", target_arch = "aarch64")))]
mod taking;

#[cfg(all(
    target_os = "linux",
    target_env = "gnu",
    any(target_arch = "x86_64", target_arch = "aarch64")
))]
pub(crate) use taking::{begin, forked};

/// Says that nothing is sampled.
#[cfg(not(all(
    target_os = "linux",
    target_env = "gnu",
    any(target_arch = "x86_64", target_arch = "aarch64")
)))]
pub(crate) fn begin() {
    if crate::samples::period_ns().is_some() {
        ats_work::say(format_args!(
            "ats-recorder: nothing is sampled: this needs Linux with glibc on x86-64 or AArch64"
        ));
    }
}

/// A child was forked.
#[cfg(not(all(
    target_os = "linux",
    target_env = "gnu",
    any(target_arch = "x86_64", target_arch = "aarch64")
)))]
pub(crate) fn forked() {}
