#![allow(unsafe_code, reason = "reads the time-stamp counter")]
//! The clock of the events: the time-stamp counter where it is steady, else the monotonic clock.
//!
//! Events carry raw ticks, which cost least. Now and then both clocks are read together; between two such
//! [`Calibration`]s ticks are turned into nanoseconds of the monotonic clock, in which the trace is written.

use ats_work::log::now_ns;

/// Both clocks at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Calibration {
    ticks: u64,
    ns: u64,
}

/// How often both clocks are read for a calibration; the closest reading counts.
const READINGS: usize = 5;

impl Calibration {
    pub(crate) fn now() -> Self {
        (0..READINGS)
            .map(|_| {
                let (before, ns, after) = (now(), now_ns(), now());
                (after.wrapping_sub(before), Calibration { ticks: before + (after - before) / 2, ns })
            })
            .min_by_key(|(width, _)| *width)
            .expect("there are readings")
            .1
    }

    /// Ticks in nanoseconds of the monotonic clock, on the line through this calibration and a later one.
    pub(crate) fn ns(self, later: Calibration, ticks: u64) -> u64 {
        let span = later.ticks.saturating_sub(self.ticks).max(1);
        let elapsed = i128::from(ticks) - i128::from(self.ticks);
        let ns = i128::from(self.ns) + elapsed * i128::from(later.ns - self.ns) / i128::from(span);
        u64::try_from(ns).unwrap_or_default()
    }
}

/// Ticks of the events' clock.
#[inline(always)]
pub(crate) fn now() -> u64 {
    #[cfg(target_arch = "x86_64")]
    if steady() {
        // SAFETY: every x86-64 processor has the instruction.
        return unsafe { std::arch::x86_64::_rdtsc() };
    }
    now_ns()
}

/// Whether the counter runs at one rate in all states of the processor, as the kernel says.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn steady() -> bool {
    static STEADY: std::sync::OnceLock<bool> = std::sync::OnceLock::new();
    *STEADY.get_or_init(|| {
        let cpus = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let flags = cpus.lines().find(|line| line.starts_with("flags")).unwrap_or_default();
        ["constant_tsc", "nonstop_tsc"].iter().all(|flag| flags.split_whitespace().any(|word| word == *flag))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_become_nanoseconds_on_the_line_between_two_calibrations() {
        let (start, end) =
            (Calibration { ticks: 1_000, ns: 50_000 }, Calibration { ticks: 3_000, ns: 51_000 });
        assert_eq!([1_000, 2_000, 3_000].map(|ticks| start.ns(end, ticks)), [50_000, 50_500, 51_000]);
        assert_eq!(start.ns(end, 900), 49_950, "before the first calibration the line goes on");
    }

    #[test]
    fn calibrations_at_one_moment_divide_by_nothing() {
        let only = Calibration { ticks: 7, ns: 9 };
        assert_eq!(only.ns(only, 7), 9);
    }

    #[test]
    fn a_stamp_lies_between_the_monotonic_times_around_it() {
        let start = Calibration::now();
        let before = now_ns();
        let ticks = now();
        let after = now_ns();
        std::thread::sleep(std::time::Duration::from_millis(5));
        let ns = start.ns(Calibration::now(), ticks);
        // Each calibration may be off by the time its closest reading took.
        assert!((before.saturating_sub(5_000)..=after + 5_000).contains(&ns), "{before} {ns} {after}");
    }
}
