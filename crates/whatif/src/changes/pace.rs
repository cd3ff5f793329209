//! The pace of a location: how long its work takes under the changes, where it is now.

use ats_model::definitions::LocationDefinition;
use ats_model::event::RegionRef;

use super::inside::{Inside, Position};
use super::plan::{Plan, Selected};
use super::visits::{EvenPart, Visits};
use crate::tables::RegionKind;

/// A balanced region, and the visit that the location is in.
struct Balance<'p> {
    inside: Inside<'p>,
    visits: &'p Visits,
    /// The number of visits so far.
    made: usize,
    /// The even part of this visit's work.
    part: EvenPart<'p>,
}

impl Balance<'_> {
    /// A visit begins.
    fn visit(&mut self, location: usize) {
        if self.inside.concerns {
            self.part = self.visits.even_part(location, self.made);
            self.made += 1;
        }
    }
}

/// The pace of a location.
pub(crate) struct Pace<'p> {
    plan: &'p Plan,
    location: usize,
    /// The number of calls that it is in, if changes concern segments.
    calls: u32,
    speeds: Vec<(Inside<'p>, f64)>,
    removals: Vec<Inside<'p>>,
    overlaps: Vec<Inside<'p>>,
    reorders: Vec<Inside<'p>>,
    balances: Vec<Balance<'p>>,
}

impl<'p> Pace<'p> {
    /// The pace of a location.
    pub(crate) fn new(plan: &'p Plan, location: usize, definition: &LocationDefinition) -> Self {
        let inside = |selected: &'p Selected| Inside::new(selected, definition);
        let balance = |(selected, visits): &'p (Selected, Visits)| Balance {
            inside: inside(selected),
            visits,
            made: 0,
            part: EvenPart::default(),
        };
        Pace {
            plan,
            location,
            calls: 0,
            speeds: plan.speeds.iter().map(|(selected, share)| (inside(selected), *share)).collect(),
            removals: plan.removals.iter().map(inside).collect(),
            overlaps: plan.overlaps.iter().map(inside).collect(),
            reorders: plan.reorders.iter().map(inside).collect(),
            balances: plan.balances.iter().map(balance).collect(),
        }
    }

    /// Whether messages and collective operations take what a model says.
    pub(crate) fn models_network(&self) -> bool {
        self.plan.network.is_some()
    }

    /// Whether locks go to those that ask first.
    pub(crate) fn has_free_locks(&self) -> bool {
        self.plan.has_free_locks
    }

    /// Whether processes take turns on processors.
    pub(crate) fn shares_processors(&self) -> bool {
        self.plan.processors.is_some()
    }

    /// Where the location is, for the members of a team that it starts.
    pub(crate) fn positions(&self) -> Vec<Position> {
        self.selections().map(Inside::position).collect()
    }

    /// The location works for a team whose master is at these positions.
    pub(crate) fn inherit(&mut self, positions: &[Position]) {
        let speeds = self.speeds.iter_mut().map(|(inside, _)| inside);
        let balances = self.balances.iter_mut().map(|balance| &mut balance.inside);
        let receives = self.overlaps.iter_mut().chain(&mut self.reorders);
        let all = speeds.chain(&mut self.removals).chain(receives).chain(balances);
        all.zip(positions).for_each(|(inside, position)| inside.inherit(*position));
    }

    fn selections(&self) -> impl Iterator<Item = &Inside<'p>> {
        let speeds = self.speeds.iter().map(|(inside, _)| inside);
        let balances = self.balances.iter().map(|balance| &balance.inside);
        speeds.chain(&self.removals).chain(&self.overlaps).chain(&self.reorders).chain(balances)
    }

    /// Those whose visits do not count.
    fn uncounted(&mut self) -> impl Iterator<Item = &mut Inside<'p>> {
        let speeds = self.speeds.iter_mut().map(|(inside, _)| inside);
        speeds.chain(&mut self.removals).chain(&mut self.overlaps).chain(&mut self.reorders)
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
                balance.visit(self.location);
            }
        }
    }

    /// The location enters a region; returns the work that it does before.
    pub(crate) fn enter(&mut self, region: RegionRef, kind: RegionKind) -> u64 {
        let mut beside = 0;
        if self.is_call(region) {
            self.calls += 1;
            self.uncounted().for_each(|inside| _ = inside.end_segment());
            for balance in &mut self.balances {
                if balance.inside.end_segment() {
                    beside += balance.part.end();
                }
            }
        }
        self.uncounted().for_each(|inside| _ = inside.enter(region));
        for balance in &mut self.balances {
            if balance.inside.enter(region) {
                balance.visit(self.location);
            }
            if kind != RegionKind::Plain && balance.inside.is_visiting() {
                beside += balance.part.call(!kind.is_start());
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
                beside += balance.part.end();
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

    /// Whether a receive in `region`, which the location is about to enter at `time` in the trace, takes what arrives first.
    pub(crate) fn is_reordered(&self, region: RegionRef, time: u64) -> bool {
        let is_one = |inside: &Inside<'p>| {
            inside.concerns
                && (inside.is_there() || inside.selected.has_region(region))
                && inside.selected.share(time, time.saturating_add(1)) > 0.0
        };
        self.reorders.iter().any(is_one)
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
        share *= self.balances.iter().filter(visiting).map(|balance| balance.part.share()).product::<f64>();
        if share == 1.0 { gap } else { (gap as f64 * share).round() as u64 }
    }
}
