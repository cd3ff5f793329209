//! The last point of a location with each other one.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    sums::Position,
    tape::{Group, Groups},
};

/// The last point with a partner.
#[derive(Clone, Copy, Debug)]
pub(super) struct LastMet {
    pub(super) at: Position,
    /// The number of the call path of its call.
    pub(super) path: u32,
    /// The duration of its call, in ticks.
    pub(super) total: u64,
    /// Ticks that it left late.
    pub(super) completion: u64,
}

/// The last point of a location with each other one.
#[derive(Debug, Default)]
pub(super) struct Partners {
    ones: FxHashMap<u32, LastMet>,
    /// Groups by number, the last met last.
    groups: Vec<(u32, LastMet)>,
}

/// The groups after which it is worth looking for those that are not needed any more.
const MANY: usize = 64;

impl Partners {
    /// The last point with another location; none if they have not met.
    pub(super) fn last_with(&self, location: u32, groups: &Groups) -> Option<LastMet> {
        let one = self.ones.get(&location).copied();
        let later = |met: &LastMet| one.is_none_or(|one| met.at > one.at);
        let mut in_group = self.groups.iter().rev().take_while(|(_, met)| later(met));
        let is_in = |group: u32| groups.members(group).binary_search(&location).is_ok();
        in_group.find(|(group, _)| is_in(*group)).map(|&(_, met)| met).or(one)
    }

    /// Meets some.
    pub(super) fn meet(&mut self, partners: Group, met: LastMet, groups: &Groups) {
        match partners {
            Group::One(location) => {
                self.ones.insert(location, met);
            }
            Group::Of(group) => {
                if let Some(before) = self.groups.iter().rposition(|&(other, _)| other == group) {
                    self.groups.remove(before);
                } else if self.groups.len() >= MANY && self.groups.len().is_power_of_two() {
                    self.forget_covered(groups);
                }
                self.groups.push((group, met));
            }
        }
    }

    /// Forgets the groups whose members have all been met later.
    fn forget_covered(&mut self, groups: &Groups) {
        let mut met: FxHashSet<u32> = FxHashSet::default();
        let mut is_needed: Vec<bool> = Vec::with_capacity(self.groups.len());
        for &(group, _) in self.groups.iter().rev() {
            let before = met.len();
            met.extend(groups.members(group));
            is_needed.push(met.len() > before);
        }
        let mut is_needed = is_needed.into_iter().rev();
        self.groups.retain(|_| is_needed.next().unwrap_or(true));
    }

    /// The positions of all these points, rising.
    pub(super) fn positions(&self) -> Vec<Position> {
        let groups = self.groups.iter().map(|(_, met)| met.at);
        let mut positions: Vec<Position> = self.ones.values().map(|met| met.at).chain(groups).collect();
        positions.sort_unstable();
        positions.dedup();
        positions
    }
}
