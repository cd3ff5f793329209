//! Pairs of locations: one waits for the other.

use std::collections::{BTreeMap, HashMap};

use super::waits::SingleWaits;

/// Locations that wait for a location in a finding, with their ticks.
#[derive(Debug)]
pub(super) struct Pairs(HashMap<(usize, u32), BTreeMap<u32, u64>>);

impl Pairs {
    /// Those of all single waits.
    pub(super) fn new(waits: &SingleWaits) -> Self {
        let mut pairs: HashMap<(usize, u32), BTreeMap<u32, u64>> = HashMap::new();
        for (finding, wait) in waits.by_finding() {
            if let Some(awaited) = wait.awaited() {
                *pairs.entry((finding, awaited)).or_default().entry(wait.location).or_default() +=
                    wait.ticks();
            }
        }
        Pairs(pairs)
    }

    /// Those that wait for a location in a finding.
    pub(super) fn of(&self, finding: usize, awaited: u32) -> Option<&BTreeMap<u32, u64>> {
        self.0.get(&(finding, awaited))
    }
}
