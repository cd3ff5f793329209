//! Virtual time: whole picoseconds, so that sums are exact and the same everywhere.

/// Picoseconds since the start of the simulation.
pub(crate) type Picoseconds = u64;

/// Picoseconds in a second: the resolution of every clock of a simulation.
pub const TICKS_PER_SECOND: u64 = 1_000_000_000_000;

/// The end of time: sums that end here are too large, and a location's clock never shows it.
pub(crate) const LATEST: Picoseconds = Picoseconds::MAX;

/// Seconds as picoseconds, rounded; negative ones and NaN are none, and too many are [`LATEST`].
pub(crate) fn picoseconds(seconds: f64) -> Picoseconds {
    // The conversion cuts off at both ends, and makes nothing of what is no number.
    (seconds * TICKS_PER_SECOND as f64 + 0.5) as u64
}

/// Picoseconds as seconds.
pub(crate) fn seconds(picoseconds: Picoseconds) -> f64 {
    picoseconds as f64 / TICKS_PER_SECOND as f64
}
