//! Profile of the time that the masters of processes spend in each place.

use ats_model::CallPathId;
use rustc_hash::FxHashMap;

use crate::kernel::time::Picoseconds;

/// A duration, and the number of its parts.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Spent {
    pub(crate) ticks: Picoseconds,
    pub(crate) instances: u64,
}

impl Spent {
    pub(crate) fn add(&mut self, ticks: Picoseconds) {
        self.ticks += ticks;
        self.instances += u64::from(ticks > 0);
    }
}

/// The time of a location at each call path itself, without the paths below; it can be suspended.
#[derive(Debug)]
pub(crate) struct Profile {
    last: Picoseconds,
    suspended: bool,
    pub(crate) exclusive: FxHashMap<CallPathId, Spent>,
}

impl Profile {
    /// Of a location that begins at `begin`.
    pub(crate) fn new(begin: Picoseconds) -> Self {
        Profile { last: begin, suspended: false, exclusive: FxHashMap::default() }
    }

    /// Until `now` the location was at this call path.
    pub(crate) fn pass(&mut self, path: CallPathId, now: Picoseconds) {
        if !self.suspended && now > self.last {
            self.exclusive.entry(path).or_default().add(now - self.last);
        }
        self.last = now;
    }

    /// Stops counting.
    pub(crate) fn suspend(&mut self) {
        self.suspended = true;
    }

    /// Counts again from `now` on.
    pub(crate) fn resume(&mut self, now: Picoseconds) {
        (self.suspended, self.last) = (false, now);
    }
}
