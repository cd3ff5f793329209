//! Numbers and durations of visits.

use std::ops::AddAssign;

/// Visits of a call path, including all regions inside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Visits {
    pub(crate) count: u64,
    /// Ticks in all of them.
    pub(crate) inclusive: u64,
    /// The ticks of the shortest visit; the maximum without any.
    pub(crate) shortest: u64,
    /// Ticks in the longest.
    pub(crate) longest: u64,
}

impl Visits {
    /// One visit of `ticks`.
    #[inline]
    pub(crate) fn one(ticks: u64) -> Self {
        Visits { count: 1, inclusive: ticks, shortest: ticks, longest: ticks }
    }

    /// No visit, but `ticks` that belong to one.
    pub(crate) fn part(ticks: u64) -> Self {
        Visits { inclusive: ticks, ..Visits::default() }
    }
}

/// No visits.
impl Default for Visits {
    fn default() -> Self {
        Visits { count: 0, inclusive: 0, shortest: u64::MAX, longest: 0 }
    }
}

impl AddAssign for Visits {
    #[inline]
    fn add_assign(&mut self, more: Self) {
        self.count += more.count;
        self.inclusive = self.inclusive.saturating_add(more.inclusive);
        self.shortest = self.shortest.min(more.shortest);
        self.longest = self.longest.max(more.longest);
    }
}
