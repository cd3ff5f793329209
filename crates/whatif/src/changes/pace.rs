//! The pace of a location: how long its work takes under the changes, where it is now.

use ats_model::definitions::LocationDefinition;
use ats_model::event::RegionRef;

use super::plan::{Group, Plan, Selected, Visits};

/// A selection, and where a location is in it.
struct Inside<'p> {
    selected: &'p Selected,
    /// Whether it concerns the location.
    concerns: bool,
    /// Whether the location works for a team that was started inside.
    is_inherited: bool,
    /// The number of selected regions that the location is in.
    depth: u32,
}

impl<'p> Inside<'p> {
    fn new(selected: &'p Selected, definition: &LocationDefinition) -> Self {
        Inside { selected, concerns: selected.has_location(definition), is_inherited: false, depth: 0 }
    }

    /// Enters a region; returns whether the location came into the selection.
    fn enter(&mut self, region: RegionRef) -> bool {
        let is_one = self.selected.has_region(region);
        self.depth += u32::from(is_one);
        is_one && self.depth == 1
    }

    /// Leaves a region; returns whether the location came out of the selection.
    fn leave(&mut self, region: RegionRef) -> bool {
        let is_one = self.selected.has_region(region);
        self.depth = self.depth.saturating_sub(u32::from(is_one));
        is_one && self.depth == 0
    }

    /// Whether the location is in selected regions, or in a team that was started there.
    fn is_there(&self) -> bool {
        self.depth > 0 || self.is_inherited || self.selected.has_all_regions()
    }

    fn is_in(&self) -> bool {
        self.concerns && self.is_there()
    }
}

/// A balanced region, and the visit that the location is in.
struct Balance<'p> {
    inside: Inside<'p>,
    visits: &'p Visits,
    /// The number of visits so far, outside of teams and in them.
    made: [u32; 2],
    /// The share of its own work that this visit takes, and what it takes beside.
    share: f64,
    beside: u64,
}

/// The pace of a location.
pub(crate) struct Pace<'p> {
    plan: &'p Plan,
    location: usize,
    rank: u32,
    speeds: Vec<(Inside<'p>, f64)>,
    removals: Vec<Inside<'p>>,
    balances: Vec<Balance<'p>>,
}

impl<'p> Pace<'p> {
    /// The pace of a location.
    pub(crate) fn new(plan: &'p Plan, location: usize, definition: &LocationDefinition) -> Self {
        let inside = |selected: &'p Selected| Inside::new(selected, definition);
        let balance = |(selected, visits): &'p (Selected, Visits)| Balance {
            inside: inside(selected),
            visits,
            made: [0; 2],
            share: 1.0,
            beside: 0,
        };
        Pace {
            plan,
            location,
            rank: definition.rank,
            speeds: plan.speeds.iter().map(|(selected, share)| (inside(selected), *share)).collect(),
            removals: plan.removals.iter().map(inside).collect(),
            balances: plan.balances.iter().map(balance).collect(),
        }
    }

    /// Whether messages and collective operations take what a model says.
    pub(crate) fn models_network(&self) -> bool {
        self.plan.network.is_some()
    }

    /// Whether processes take turns on processors.
    pub(crate) fn shares_processors(&self) -> bool {
        self.plan.processors.is_some()
    }

    /// Where the location is, for the members of a team that it starts.
    pub(crate) fn places(&self) -> Vec<bool> {
        self.selections().map(Inside::is_there).collect()
    }

    /// The location works for a team whose master is at these places.
    pub(crate) fn inherit(&mut self, places: &[bool]) {
        let balances = self.balances.iter_mut().map(|balance| &mut balance.inside);
        let speeds = self.speeds.iter_mut().map(|(inside, _)| inside);
        for (inside, is_there) in speeds.chain(&mut self.removals).chain(balances).zip(places) {
            inside.is_inherited = *is_there;
        }
    }

    fn selections(&self) -> impl Iterator<Item = &Inside<'p>> {
        let balances = self.balances.iter().map(|balance| &balance.inside);
        self.speeds.iter().map(|(inside, _)| inside).chain(&self.removals).chain(balances)
    }

    /// The location enters a region, in a team or outside.
    pub(crate) fn enter(&mut self, region: RegionRef, in_team: bool) {
        let speeds = self.speeds.iter_mut().map(|(inside, _)| inside);
        for inside in speeds.chain(&mut self.removals) {
            inside.enter(region);
        }
        for balance in &mut self.balances {
            if !balance.inside.enter(region) {
                continue;
            }
            let group = Group::new(self.rank, in_team);
            let made = &mut balance.made[usize::from(in_team)];
            (balance.share, balance.beside) = balance.visits.share(self.location, group, *made);
            *made += 1;
        }
    }

    /// The location leaves a region; returns the work that it does before.
    pub(crate) fn leave(&mut self, region: RegionRef) -> u64 {
        let speeds = self.speeds.iter_mut().map(|(inside, _)| inside);
        for inside in speeds.chain(&mut self.removals) {
            inside.leave(region);
        }
        let mut beside = 0;
        for balance in &mut self.balances {
            if balance.inside.leave(region) {
                beside += std::mem::take(&mut balance.beside);
            }
        }
        beside
    }

    /// Whether what the location does now is left out.
    pub(crate) fn is_removed(&self) -> bool {
        self.removals.iter().any(Inside::is_in)
    }

    /// The duration of work that took `gap` picoseconds up to `until` in the trace.
    pub(crate) fn changed(&self, gap: u64, until: u64) -> u64 {
        if self.is_removed() {
            return 0;
        }
        let mut share = 1.0;
        for (inside, of_selected) in self.speeds.iter().filter(|(inside, _)| inside.is_in()) {
            let concerned = inside.selected.share(until.saturating_sub(gap), until);
            share *= 1.0 + concerned * (of_selected - 1.0);
        }
        for balance in
            self.balances.iter().filter(|balance| balance.inside.concerns && balance.inside.depth > 0)
        {
            share *= balance.share;
        }
        if share == 1.0 { gap } else { (gap as f64 * share).round() as u64 }
    }
}
