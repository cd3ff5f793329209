//! Time in chosen regions of the program, and what it counts there, by location.

use std::collections::BTreeMap;

use ats_work::Regions;

use crate::kernel::state::Kernel;

/// The chosen regions, and the sums of the locations that have entered one of them.
#[derive(Default)]
pub(crate) struct Measuring {
    pub(crate) chosen: Vec<&'static str>,
    pub(crate) by_location: BTreeMap<usize, Regions>,
}

impl Kernel<'_> {
    /// The location that runs enters a region of the program.
    #[inline]
    pub(crate) fn measure_from(&mut self, region: &'static str) {
        if self.measuring.chosen.contains(&region) {
            let now = self.now();
            self.measuring.by_location.entry(self.current).or_default().enter(region, now);
        }
    }

    /// The location that runs leaves the region of the program that it entered last.
    #[inline]
    pub(crate) fn measure_to(&mut self, region: &'static str) {
        if self.measuring.chosen.contains(&region) {
            let now = self.now();
            self.measuring.by_location.entry(self.current).or_default().leave(now);
        }
    }

    /// The location that runs counts something.
    pub(crate) fn measure_count(&mut self, counter: &'static str, number: u64) {
        if let Some(regions) = self.measuring.by_location.get_mut(&self.current) {
            regions.count(counter, number);
        }
    }
}
