#![allow(unsafe_code, reason = "reads the processor's time-stamp counter")]
//! The time-stamp counter of x86: read without a system call.

use std::arch::x86_64::{__cpuid, __rdtscp};
use std::sync::OnceLock;

use super::Clock;

/// The time-stamp counter, with its measured rate.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tsc {
    pub(crate) ticks_per_second: f64,
}

/// Whether the counter runs at one rate whatever the processor does, and the system has not found it unreliable.
#[inline(always)]
pub fn tsc_is_usable() -> bool {
    static USABLE: OnceLock<bool> = OnceLock::new();
    *USABLE.get_or_init(|| {
        let available = "/sys/devices/system/clocksource/clocksource0/available_clocksource";
        is_invariant() && std::fs::read_to_string(available).map_or(true, |clocks| is_accepted(&clocks))
    })
}

/// Whether the processor has an invariant counter (`constant_tsc` and `nonstop_tsc` in `/proc/cpuinfo`), and `rdtscp`.
fn is_invariant() -> bool {
    const EXTENDED: u32 = 0x8000_0000;
    const FEATURES: u32 = 0x8000_0001;
    const RDTSCP: u32 = 1 << 27;
    const POWER: u32 = 0x8000_0007;
    const INVARIANT: u32 = 1 << 8;
    __cpuid(EXTENDED).eax >= POWER
        && __cpuid(FEATURES).edx & RDTSCP != 0
        && __cpuid(POWER).edx & INVARIANT != 0
}

/// Linux takes the counter off its list of clocks when it differs between cores.
fn is_accepted(clocks: &str) -> bool {
    clocks.split_whitespace().any(|clock| clock == "tsc")
}

impl Clock for Tsc {
    const CHUNK: u64 = 64;

    /// Waits for the work before it to be done.
    #[inline]
    fn now(&self) -> u64 {
        let mut core = 0;
        // SAFETY: a `Tsc` is made only where the instruction exists; `core` is a valid place for its second result.
        unsafe { __rdtscp(&mut core) }
    }

    fn ticks_per_second(&self) -> f64 {
        self.ticks_per_second
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_counter_that_the_kernel_has_taken_off_its_list_is_rejected() {
        for (clocks, accepted) in [
            ("tsc hpet acpi_pm \n", true),
            ("kvm-clock tsc acpi_pm\n", true),
            ("hpet acpi_pm \n", false),
            ("tsc-early hpet\n", false),
            ("", false),
        ] {
            assert_eq!(is_accepted(clocks), accepted, "{clocks:?}");
        }
    }
}
