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
    /// Whether it is in the selected segment.
    is_between: bool,
}

impl<'p> Inside<'p> {
    fn new(selected: &'p Selected, definition: &LocationDefinition) -> Self {
        let concerns = selected.has_location(definition);
        Inside { selected, concerns, is_inherited: false, depth: 0, is_between: false }
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

    /// Passes from one call to the next; returns whether the location came into the selection.
    fn pass(&mut self, from: Option<RegionRef>, to: Option<RegionRef>) -> bool {
        self.is_between = self.selected.segment().is_some_and(|segment| segment.is_between(from, to));
        self.is_between
    }

    /// Whether the location is in selected regions, or in the selected segment.
    fn is_visiting(&self) -> bool {
        self.depth > 0 || self.is_between
    }

    /// Whether it is there, or in a team that was started there.
    fn is_there(&self) -> bool {
        self.is_visiting() || self.is_inherited || self.selected.has_all_regions()
    }

    /// Whether the teams that it starts are there. Segments are outside of them.
    fn has_teams(&self) -> bool {
        self.is_there() && !self.is_between
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

impl Balance<'_> {
    /// A visit begins.
    fn visit(&mut self, location: usize, group: Group, teams: u32) {
        if !self.inside.concerns {
            return;
        }
        let made = &mut self.made[usize::from(group != Group::Processes)];
        if self.inside.selected.has_tasks() {
            (self.share, self.beside) = self.visits.share(location, group, teams);
        } else {
            (self.share, self.beside) = self.visits.share(location, group, *made);
            *made += 1;
        }
    }
}

/// The pace of a location.
pub(crate) struct Pace<'p> {
    plan: &'p Plan,
    location: usize,
    rank: u32,
    /// The number of teams that it has begun to work in.
    teams: u32,
    /// The number of calls that it is in, if changes concern segments.
    calls: u32,
    speeds: Vec<(Inside<'p>, f64)>,
    removals: Vec<Inside<'p>>,
    overlaps: Vec<Inside<'p>>,
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
            teams: 0,
            calls: 0,
            speeds: plan.speeds.iter().map(|(selected, share)| (inside(selected), *share)).collect(),
            removals: plan.removals.iter().map(inside).collect(),
            overlaps: plan.overlaps.iter().map(inside).collect(),
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
        self.selections().map(Inside::has_teams).collect()
    }

    /// The location begins to work in a team.
    pub(crate) fn begin_team(&mut self) {
        self.teams += 1;
    }

    /// The location works for a team whose master is at these places.
    pub(crate) fn inherit(&mut self, places: &[bool]) {
        let speeds = self.speeds.iter_mut().map(|(inside, _)| inside);
        let balances = self.balances.iter_mut().map(|balance| &mut balance.inside);
        let all = speeds.chain(&mut self.removals).chain(&mut self.overlaps).chain(balances);
        all.zip(places).for_each(|(inside, is_there)| inside.is_inherited = *is_there);
    }

    fn selections(&self) -> impl Iterator<Item = &Inside<'p>> {
        let speeds = self.speeds.iter().map(|(inside, _)| inside);
        let balances = self.balances.iter().map(|balance| &balance.inside);
        speeds.chain(&self.removals).chain(&self.overlaps).chain(balances)
    }

    /// Those whose visits do not count.
    fn uncounted(&mut self) -> impl Iterator<Item = &mut Inside<'p>> {
        let speeds = self.speeds.iter_mut().map(|(inside, _)| inside);
        speeds.chain(&mut self.removals).chain(&mut self.overlaps)
    }

    /// Whether segments lie between this region and others, if changes concern them.
    pub(crate) fn is_call(&self, region: RegionRef) -> bool {
        let calls = self.plan.calls.as_ref();
        calls.is_some_and(|calls| calls.get(region.0 as usize).copied().unwrap_or(false))
    }

    /// Whether the location is in no call, and changes concern segments.
    pub(crate) fn is_between_calls(&self) -> bool {
        self.plan.calls.is_some() && self.calls == 0
    }

    /// The location passes from one call to the next.
    pub(crate) fn pass(&mut self, from: Option<RegionRef>, to: Option<RegionRef>) {
        self.uncounted().for_each(|inside| _ = inside.pass(from, to));
        for balance in &mut self.balances {
            if balance.inside.pass(from, to) {
                balance.visit(self.location, Group::Processes, self.teams);
            }
        }
    }

    /// The location enters a region, in a team or outside; returns the work that it does before.
    pub(crate) fn enter(&mut self, region: RegionRef, in_team: bool) -> u64 {
        let mut beside = 0;
        if self.is_call(region) {
            self.calls += 1;
            self.uncounted().for_each(|inside| inside.is_between = false);
            for balance in &mut self.balances {
                if std::mem::take(&mut balance.inside.is_between) {
                    beside += std::mem::take(&mut balance.beside);
                }
            }
        }
        self.uncounted().for_each(|inside| _ = inside.enter(region));
        for balance in &mut self.balances {
            if balance.inside.enter(region) {
                balance.visit(self.location, Group::new(self.rank, in_team), self.teams);
            }
        }
        beside
    }

    /// The location leaves a region; returns the work that it does before.
    pub(crate) fn leave(&mut self, region: RegionRef) -> u64 {
        self.calls = self.calls.saturating_sub(u32::from(self.is_call(region)));
        self.uncounted().for_each(|inside| _ = inside.leave(region));
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

    /// Whether receives are put off here.
    pub(crate) fn is_overlapped(&self) -> bool {
        self.overlaps.iter().any(Inside::is_in)
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
        let visiting = |balance: &&Balance<'_>| balance.inside.concerns && balance.inside.is_visiting();
        share *= self.balances.iter().filter(visiting).map(|balance| balance.share).product::<f64>();
        if share == 1.0 { gap } else { (gap as f64 * share).round() as u64 }
    }
}
