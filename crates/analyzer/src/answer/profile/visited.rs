//! The time of a location by call path: all of it, and that in the basis.

use std::collections::BTreeMap;

use ats_documents::{
    Profile,
    profile::{Combine, Metric, Origin},
};
use ats_model::CallPathId;
use rustc_hash::FxHashMap;

use super::Growing;
use crate::answer::in_basis::part;
use crate::{
    scan::{Program, Spent},
    words::{place::Place, visits::Visits},
};

/// The part of a location's time outside of all regions that a tick between two events may be, and is no code. A larger one
/// would hide the program of traces that leave a few instructions out.
const ROUNDING: f64 = 1e-9;

impl Growing<'_> {
    /// Adds the visits of a location in its `time`, which it spends wholly in the program; a worker has no time
    /// of its own.
    pub(super) fn add_visits(&mut self, location: u32, spent: &Spent, time: Option<(u64, u64)>) {
        let mut visits = self.visits(location, spent, |_| true);
        if let Some((first, last)) = time {
            let root = self.root(self.definitions.locations[location as usize].rank);
            *visits.entry(root).or_default() += match spent.program {
                Some(Program { begin, end, .. }) => Visits::one(end.unwrap_or(last).saturating_sub(begin)),
                None => Visits::part(last.saturating_sub(first)),
            };
        }
        for (path, ticks) in self.by_path(location, &spent.forks) {
            self.note(part(Profile::FORK), path, location, self.definitions.clock.seconds(ticks.0));
        }
        let inside = self.inside(&visits);
        let clock = &self.definitions.clock;
        let measured = |name, unit, combine| Metric::new(name, unit, Origin::Measured, combine);
        for (path, visits) in visits {
            let exclusive = visits.inclusive.saturating_sub(inside.get(&path).copied().unwrap_or_default());
            let count = visits.count as f64;
            if path == CallPathId::ROOT && exclusive as f64 > ROUNDING * visits.inclusive as f64 {
                self.outside_of_all.push((location, clock.seconds(exclusive)));
            }
            self.note(measured(Profile::TIME, "s", Combine::Sum), path, location, clock.seconds(exclusive));
            self.note(measured(Profile::VISITS, "occ", Combine::Sum), path, location, count);
            if visits.count > 0 {
                let (least, most) = (clock.seconds(visits.shortest), clock.seconds(visits.longest));
                self.note(measured(Profile::MIN_TIME, "s", Combine::Minimum), path, location, least);
                self.note(measured(Profile::MAX_TIME, "s", Combine::Maximum), path, location, most);
            }
        }
    }

    /// Adds the seconds of a location in each call path alone, of visits at places that are inside.
    pub(super) fn add_inside(
        &mut self,
        location: u32,
        spent: &Spent,
        is_inside: impl Fn(Place) -> bool,
        time: &mut Vec<(u32, u32, f64)>,
    ) {
        let visits = self.visits(location, spent, is_inside);
        let inside = self.inside(&visits);
        for (path, visits) in visits {
            let exclusive = visits.inclusive.saturating_sub(inside.get(&path).copied().unwrap_or_default());
            if path != CallPathId::ROOT && exclusive > 0 {
                time.push((path.0 - 1, location, self.definitions.clock.seconds(exclusive)));
            }
        }
    }

    /// Adds the time of a location between tests in vain, at places that are inside; returns its seconds.
    pub(super) fn add_polled(
        &mut self,
        location: u32,
        spent: &Spent,
        is_inside: impl Fn(Place) -> bool,
    ) -> f64 {
        let mut all = 0.0;
        for (path, ticks) in self.by_path_where(location, &spent.polled, is_inside) {
            let seconds = self.definitions.clock.seconds(ticks);
            all += seconds;
            if path == CallPathId::ROOT {
                self.polled_outside_of_all.push((location, seconds));
            }
            self.note(part(Profile::POLLING), path, location, seconds);
        }
        all
    }

    /// The visits of a location at the places that are meant, and the stops of its recorder.
    fn visits(
        &mut self,
        location: u32,
        spent: &Spent,
        is_meant: impl Fn(Place) -> bool,
    ) -> BTreeMap<CallPathId, Visits> {
        let mut visits = self.by_path_where(location, &spent.visits, &is_meant);
        for (region, of_recorder) in
            [(Profile::RECORDING_OFF, &spent.off), (Profile::BUFFER_FLUSH, &spent.flushed)]
        {
            for (path, spent) in self.by_path_where(location, of_recorder, &is_meant) {
                *visits.entry(self.tree.child(path, (region, None))).or_default() += spent;
            }
        }
        visits
    }

    /// The ticks of visits that lie in those of other paths, by the path around them.
    fn inside(&self, visits: &BTreeMap<CallPathId, Visits>) -> FxHashMap<CallPathId, u64> {
        let mut inside: FxHashMap<CallPathId, u64> = FxHashMap::default();
        for (&path, of_path) in visits.iter().filter(|of| *of.0 != CallPathId::ROOT) {
            let mut around = self.tree.parent(path);
            // What the thread that started its team is in, this one is not.
            while around != CallPathId::ROOT && !visits.contains_key(&around) {
                around = self.tree.parent(around);
            }
            let inside = inside.entry(around).or_default();
            *inside = inside.saturating_add(of_path.inclusive);
        }
        inside
    }
}
