//! How often and how long something is entered.

use std::ops::AddAssign;

/// Visits of a call path, with all that is inside them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Visits {
    pub(crate) count: u64,
    /// Ticks in all of them.
    pub(crate) inclusive: u64,
    /// Ticks in the shortest; more than any where there are none.
    pub(crate) shortest: u64,
    /// Ticks in the longest.
    pub(crate) longest: u64,
}

impl Visits {
    /// One of so many ticks.
    #[inline]
    pub(crate) fn one(ticks: u64) -> Self {
        Visits { count: 1, inclusive: ticks, shortest: ticks, longest: ticks }
    }

    /// None, but so many ticks that belong to one.
    pub(crate) fn part(ticks: u64) -> Self {
        Visits { inclusive: ticks, ..Visits::default() }
    }
}

/// None.
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
