//! Time in chosen regions of one location, and the numbers that it counts there.

use std::collections::BTreeMap;

/// The counters of a region that there is room for from the begin on.
const COUNTERS: usize = 4;

/// The regions that a location is in, and the sums of those that it has left.
///
/// Times have the unit of the clock that is read. Regions of one name that lie in each other are one. Room for the sums is
/// made where a region is entered, before tools hear of it: where allocations are counted, those would be among them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Regions {
    open: Vec<(&'static str, u64)>,
    sums: Vec<Sum>,
}

#[derive(Clone, Debug, PartialEq)]
struct Sum {
    region: &'static str,
    visits: u64,
    time: u64,
    counts: Vec<(&'static str, u64)>,
}

impl Sum {
    fn count(&mut self, counter: &'static str, number: u64) {
        match self.counts.iter_mut().find(|(known, _)| *known == counter) {
            Some((_, sum)) => *sum = sum.saturating_add(number),
            None => self.counts.push((counter, number)),
        }
    }
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
        self.sum(region);
        self.open.push((region, now));
    }

    /// Leaves the region that was entered last.
    pub fn leave(&mut self, now: u64) {
        let Some((region, entered)) = self.open.pop() else { return };
        let is_outermost = self.open.iter().all(|&(outer, _)| outer != region);
        let sum = self.sum(region);
        sum.visits += 1;
        if is_outermost {
            sum.time += now.saturating_sub(entered);
        }
    }

    /// Counts in the innermost region; outside of all there is nothing to count for.
    pub fn count(&mut self, counter: &'static str, number: u64) {
        if let Some(&(region, _)) = self.open.last() {
            self.sum(region).count(counter, number);
        }
    }

    /// The sums of the regions that were left, by region.
    pub fn sums(&self) -> BTreeMap<&'static str, Measured> {
        let left = self.sums.iter().filter(|sum| sum.visits > 0 || !sum.counts.is_empty());
        left.map(|sum| {
            let counts = sum.counts.iter().copied().collect();
            (sum.region, Measured { visits: sum.visits, time: sum.time, counts })
        })
        .collect()
    }

    /// Adds what another part of the same location's run has measured.
    pub(crate) fn append(&mut self, later: Regions) {
        for Sum { region, visits, time, counts } in later.sums {
            let sum = self.sum(region);
            sum.visits += visits;
            sum.time += time;
            counts.into_iter().for_each(|(counter, number)| sum.count(counter, number));
        }
    }

    fn sum(&mut self, region: &'static str) -> &mut Sum {
        let known = self.sums.iter().position(|sum| sum.region == region);
        let at = known.unwrap_or_else(|| {
            self.sums.push(Sum { region, visits: 0, time: 0, counts: Vec::with_capacity(COUNTERS) });
            self.sums.len() - 1
        });
        &mut self.sums[at]
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
            assert_eq!(regions.sums(), [("inner", of(4, 14, 6)), ("outer", of(1, 40, 1))].into());
        }
    }
}
