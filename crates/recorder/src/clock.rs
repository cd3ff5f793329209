#![allow(unsafe_code, reason = "reads the time-stamp counter")]
//! The clock of the events: the time-stamp counter where it is steady, else the monotonic clock.
//!
//! Events carry raw ticks, which cost least. Now and then both clocks are read together; between two such
//! [`Calibration`]s ticks are turned into nanoseconds of the monotonic clock, in which the trace is written. All
//! threads share the calibrations, so that one moment is one time on all of them.

use std::sync::Mutex;

use ats_work::log::now_ns;

use crate::lock::lock;

/// Both clocks at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Calibration {
    ticks: u64,
    ns: u64,
}

/// The number of readings of both clocks for a calibration; the closest one counts.
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

    /// A time in ticks, at the rate between this calibration and a later one.
    fn ticks_until(self, later: Calibration, ns: u64) -> u64 {
        let (ticks, span) = (later.ticks.saturating_sub(self.ticks), later.ns.saturating_sub(self.ns).max(1));
        u64::try_from(u128::from(ns) * u128::from(ticks) / u128::from(span)).unwrap_or(u64::MAX)
    }
}

/// Closer calibrations would turn the error of a reading into a wrong rate.
const CLOSEST_NS: u64 = 10_000_000;

static TAKEN: Mutex<Vec<Calibration>> = Mutex::new(Vec::new());

/// Reads both clocks: when recording begins, now and then, and before ticks are turned into nanoseconds.
pub(crate) fn calibrate() {
    take(&mut lock(&TAKEN), Calibration::now());
}

/// Appends a calibration, or puts it in place of the last, where that is close to the one before.
fn take(taken: &mut Vec<Calibration>, now: Calibration) {
    if let [.., before, last] = taken.as_mut_slice()
        && last.ns < before.ns + CLOSEST_NS
    {
        *last = now;
    } else {
        taken.push(now);
    }
}

/// The calibrations so far.
pub(crate) struct Calibrations(Vec<Calibration>);

impl Calibrations {
    /// Those taken so far, the last of them now.
    pub(crate) fn until_now() -> Self {
        calibrate();
        Calibrations(lock(&TAKEN).clone())
    }

    /// Ticks in nanoseconds of the monotonic clock.
    pub(crate) fn ns(&self, ticks: u64) -> u64 {
        match self.0.as_slice() {
            [] => ticks,
            [only] => only.ns(*only, ticks),
            all => {
                let later = all.partition_point(|one| one.ticks <= ticks).clamp(1, all.len() - 1);
                all[later - 1].ns(all[later], ticks)
            }
        }
    }
}

/// About the number of ticks of a time, at the rate since the first calibration.
pub(crate) fn ticks(ns: u64) -> u64 {
    let first = lock(&TAKEN).first().copied();
    first.map_or(ns, |first| first.ticks_until(Calibration { ticks: now(), ns: now_ns() }, ns))
}

/// Ticks of the events' clock.
#[inline(always)]
pub(crate) fn now() -> u64 {
    #[cfg(target_arch = "x86_64")]
    if ats_work::tsc_is_usable() {
        // SAFETY: every x86-64 processor has the instruction.
        return unsafe { std::arch::x86_64::_rdtsc() };
    }
    now_ns()
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
    fn nanoseconds_become_ticks_at_the_rate_between_two_calibrations() {
        let (start, end) =
            (Calibration { ticks: 1_000, ns: 50_000 }, Calibration { ticks: 3_000, ns: 51_000 });
        assert_eq!((start.ticks_until(end, 500), start.ticks_until(start, 500)), (1_000, 0));
    }

    #[test]
    fn calibrations_at_one_moment_divide_by_nothing() {
        let only = Calibration { ticks: 7, ns: 9 };
        assert_eq!(only.ns(only, 7), 9);
    }

    #[test]
    fn a_close_calibration_takes_the_place_of_the_last() {
        let at = |ns| Calibration { ticks: 2 * ns, ns };
        let mut taken = Vec::new();
        for ns in [0, 1_000, 2_000, 20_000_000, 25_000_000, 40_000_000] {
            take(&mut taken, at(ns));
        }
        assert_eq!(taken, [0, 20_000_000, 40_000_000].map(at));
    }

    #[test]
    fn each_time_is_on_the_line_between_its_two_calibrations() {
        let points = [(100, 1_000), (200, 2_000), (300, 4_000)];
        let all = Calibrations(points.map(|(ticks, ns)| Calibration { ticks, ns }).into());
        assert_eq!([50, 150, 250, 350].map(|ticks| all.ns(ticks)), [500, 1_500, 3_000, 5_000]);
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
