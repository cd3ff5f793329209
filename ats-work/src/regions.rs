//! Time in chosen regions of one location, and the numbers that it counts there.

use std::collections::BTreeMap;

/// The regions that a location is in, and the sums of those that it has left.
///
/// Times have the unit of the clock that is read. Regions of one name that lie in each other are one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Regions {
    open: Vec<(&'static str, u64)>,
    sums: BTreeMap<&'static str, Measured>,
}

/// The sums of one region.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Measured {
    /// Number of entries.
    pub visits: u64,
    /// Time in it and in all that it calls.
    pub time: u64,
    /// Numbers counted in it and in no chosen region inside, by counter.
    pub counts: BTreeMap<&'static str, u64>,
}

impl Regions {
    /// Enters a region at a time.
    pub fn enter(&mut self, region: &'static str, now: u64) {
        self.open.push((region, now));
    }

    /// Leaves the region that was entered last.
    pub fn leave(&mut self, now: u64) {
        let Some((region, entered)) = self.open.pop() else { return };
        let sum = self.sums.entry(region).or_default();
        sum.visits += 1;
        if self.open.iter().all(|&(outer, _)| outer != region) {
            sum.time += now.saturating_sub(entered);
        }
    }

    /// Counts in the innermost region; outside of all there is nothing to count for.
    pub fn count(&mut self, counter: &'static str, number: u64) {
        if let Some((region, _)) = self.open.last() {
            let sum = self.sums.entry(region).or_default().counts.entry(counter).or_default();
            *sum = sum.saturating_add(number);
        }
    }

    /// The sums, by region.
    pub fn sums(&self) -> &BTreeMap<&'static str, Measured> {
        &self.sums
    }

    /// Adds what another part of the same location's run has measured.
    pub(crate) fn append(&mut self, later: Regions) {
        for (region, Measured { visits, time, counts }) in later.sums {
            let sum = self.sums.entry(region).or_default();
            sum.visits += visits;
            sum.time += time;
            for (counter, number) in counts {
                let known = sum.counts.entry(counter).or_default();
                *known = known.saturating_add(number);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_is_inclusive_and_counts_are_of_the_innermost_region() {
        let mut regions = Regions::default();
        regions.count("flops", 100);
        regions.enter("outer", 10);
        regions.count("flops", 1);
        for now in [20, 40] {
            regions.enter("inner", now);
            regions.enter("inner", now + 1);
            regions.count("flops", 3);
            regions.leave(now + 5);
            regions.leave(now + 7);
        }
        regions.leave(50);
        regions.leave(60);
        let mut twice = regions.clone();
        twice.append(regions.clone());
        for (times, regions) in [(1, &regions), (2, &twice)] {
            let of = |visits: u64, time: u64, flops: u64| Measured {
                visits: times * visits,
                time: times * time,
                counts: [("flops", times * flops)].into(),
            };
            assert_eq!(regions.sums(), &[("inner", of(4, 14, 6)), ("outer", of(1, 40, 1))].into());
        }
    }
}
