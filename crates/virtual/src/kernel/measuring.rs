//! Time in chosen regions of the program and in chosen calls, and what it counts there, by location.

use std::collections::BTreeMap;

use ats_work::Regions;

use crate::kernel::time::Picoseconds;

/// The chosen regions, and the sums of the locations that have entered one of them.
#[derive(Default)]
pub(crate) struct Measuring {
    pub(crate) chosen: Vec<&'static str>,
    pub(crate) by_location: BTreeMap<usize, Regions>,
}

impl Measuring {
    /// A location enters a chosen region.
    #[cold]
    pub(crate) fn enter(&mut self, region: &'static str, location: usize, now: Picoseconds) {
        self.by_location.entry(location).or_default().enter(region, now);
    }

    /// A location leaves the chosen region that it entered last.
    #[cold]
    pub(crate) fn leave(&mut self, location: usize, now: Picoseconds) {
        self.by_location.entry(location).or_default().leave(now);
    }

    /// A location counts something.
    pub(crate) fn count(&mut self, counter: &'static str, number: u64, location: usize) {
        if let Some(regions) = self.by_location.get_mut(&location) {
            regions.count(counter, number);
        }
    }
}
