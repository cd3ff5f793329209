//! Measuring the machine.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

use super::Rates;
use crate::clock::{Clock, FastClock, Monotonic, ThreadCpu};
use crate::deadline;
use crate::os::{Os, System};
use crate::random_access::RandomAccess;

/// Iterations of random accesses in a second of processor time.
///
/// Arrays differ by some percent, by where in memory they happen to lie: the result is the median of several, each with
/// the best of three runs of about `run_seconds`.
pub(crate) fn iterations_per_second(run_seconds: f64, arrays: u64) -> f64 {
    let mut arrays: Vec<RandomAccess> =
        (0..arrays.max(1)).map(|seed| RandomAccess::new(Xoshiro256PlusPlus::seed_from_u64(seed))).collect();
    let mut iterations = 0;
    deadline::spin(&ThreadCpu, ThreadCpu.deadline(run_seconds), |n| {
        arrays[0].iterate(n);
        iterations += n;
    });
    let mut shortest: Vec<u64> = arrays
        .iter_mut()
        .map(|array| {
            let mut run = || {
                let begin = ThreadCpu.now();
                array.iterate(iterations);
                ThreadCpu.now() - begin
            };
            run().min(run()).min(run())
        })
        .collect();
    shortest.sort_unstable();
    iterations as f64 * 1e9 / shortest[shortest.len() / 2].max(1) as f64
}

/// Ticks of the fast clock in a second, measured over `seconds`.
pub(crate) fn ticks_per_second(seconds: f64) -> f64 {
    match FastClock::new(|| f64::NAN) {
        #[cfg(target_arch = "x86_64")]
        FastClock::Tsc(tsc) => {
            let (ticks, ns) = both(&tsc);
            let end = Monotonic.deadline(seconds);
            while Monotonic.now() < end {
                std::hint::spin_loop();
            }
            let (later_ticks, later_ns) = both(&tsc);
            (later_ticks - ticks) as f64 * 1e9 / (later_ns - ns) as f64
        }
        FastClock::Monotonic(clock) => clock.ticks_per_second(),
    }
}

/// The same moment on `clock` and on the monotonic clock: the tightest of several readings.
fn both(clock: &impl Clock) -> (u64, u64) {
    let read = || {
        let (before, ns, after) = (clock.now(), Monotonic.now(), clock.now());
        (after - before, before + (after - before) / 2, ns)
    };
    let (_, ticks, ns) = (0..16).map(|_| read()).min().expect("there are sixteen");
    (ticks, ns)
}

/// The smallest step of the fast clock between two readings.
pub(crate) fn timer_resolution_seconds(rates: &Rates) -> f64 {
    match FastClock::new(|| rates.ticks_per_second) {
        #[cfg(target_arch = "x86_64")]
        FastClock::Tsc(tsc) => smallest_step_seconds(&tsc),
        FastClock::Monotonic(clock) => smallest_step_seconds(&clock),
    }
}

fn smallest_step_seconds(clock: &impl Clock) -> f64 {
    let step = || {
        let begin = clock.now();
        loop {
            let now = clock.now();
            if now > begin {
                return now - begin;
            }
        }
    };
    (0..1_000).map(|_| step()).min().unwrap_or(0) as f64 / clock.ticks_per_second()
}

/// The excess of `repeats` sleeps over `seconds`, sorted.
pub(crate) fn sleep_overshoots_seconds(seconds: f64, repeats: usize) -> Vec<f64> {
    System.sharpen_timers();
    let overshoot = || {
        let end = Monotonic.deadline(seconds);
        System.sleep(seconds);
        Monotonic.now().saturating_sub(end) as f64 * 1e-9
    };
    let mut overshoots: Vec<f64> = (0..repeats).map(|_| overshoot()).collect();
    overshoots.sort_by(f64::total_cmp);
    overshoots
}
