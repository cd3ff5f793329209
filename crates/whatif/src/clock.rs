//! Times of a trace in picoseconds from its begin, on the clock that all processes share.

use ats_model::clock_correction::ProcessClock;
use ats_model::definitions::Clock;

/// Picoseconds in a second.
const PICOSECONDS: u128 = 1_000_000_000_000;

/// The clock of a location.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ClockOfLocation {
    clock: Clock,
    /// The least difference between time stamps, in picoseconds.
    pub(crate) tick: u64,
    /// Added to all times, in picoseconds, so that none is below zero.
    shift: i64,
    /// Offset in picoseconds, and drift, if the clock was corrected; and the first time stamp.
    correction: Option<(f64, f64, u64)>,
}

impl ClockOfLocation {
    /// The clock of a location whose first time stamp is `first`, corrected by `correction`.
    pub(crate) fn new(clock: Clock, shift: i64, correction: Option<&ProcessClock>, first: u64) -> Self {
        let correction = correction.map(|clock| (clock.offset * PICOSECONDS as f64, clock.drift, first));
        let tick = (PICOSECONDS / u128::from(clock.resolution.max(1))) as u64;
        ClockOfLocation { clock, tick, shift, correction }
    }

    /// A time stamp in picoseconds.
    pub(crate) fn picoseconds(&self, ticks: u64) -> u64 {
        let resolution = u128::from(self.clock.resolution.max(1));
        let since = |begin: u64| u128::from(ticks.saturating_sub(begin)) * PICOSECONDS / resolution;
        let mut time = i64::try_from(since(self.clock.offset)).unwrap_or(i64::MAX).saturating_add(self.shift);
        if let Some((offset, drift, first)) = self.correction {
            time = time.saturating_add((offset + drift * since(first) as f64).round() as i64);
        }
        time.max(0) as u64
    }
}
