//! Locations that are late because a message of theirs waits for progress.
//!
//! Root causes do not know what a wait for progress comes from, so they charge the call that it lies in to the location that
//! waits there, as if it worked. In an exchange with neighbours that is most of what the ranks beyond the neighbours wait for.

use std::collections::{BTreeMap, HashMap};

use super::facts::{Facts, Place, lost};
use super::mechanism::Mechanism;
use super::part::Part;

/// The part of a location's time in a call, beside waits of known cause, in which it waits for progress.
#[derive(Debug)]
struct Held {
    /// The finding of the waits, by its index.
    finding: usize,
    /// The part of the time, by the location that waits and the one that is awaited.
    shares: BTreeMap<u32, Vec<(u32, f64)>>,
}

/// Waits for progress, by the call that they lie in.
#[derive(Debug)]
pub(super) struct HeldCalls<'a>(HashMap<Place<'a>, Held>);

impl<'a> HeldCalls<'a> {
    /// Those of a run.
    pub(super) fn new(facts: &'a Facts<'a>) -> Self {
        let is_progress = |state| Mechanism::of_state(state) == Mechanism::Progress;
        let of_progress =
            lost(facts.analysis).filter(|(_, finding)| finding.property.is_some_and(is_progress));
        let calls = of_progress.map(|(index, finding)| {
            let place = Place::of_finding(finding);
            let besides = facts.besides_waits(place);
            let mut ticks: BTreeMap<u32, BTreeMap<u32, u64>> = BTreeMap::new();
            for wait in facts.waits.of_finding(index) {
                let Some(awaited) = wait.awaited() else { continue };
                *ticks.entry(wait.location).or_default().entry(awaited).or_default() += wait.ticks();
            }
            let mut held = Held { finding: index, shares: BTreeMap::new() };
            for share in &finding.locations {
                let Some(unit) = facts.unit(share.place()) else { continue };
                let busy = besides[unit as usize] + share.waiting_time;
                let part = (share.waiting_time / busy).min(1.0);
                let awaited = ticks.remove(&unit).unwrap_or_default();
                let all: u64 = awaited.values().sum();
                let of_all = |(awaited, ticks)| (awaited, part * ticks as f64 / all as f64);
                held.shares.insert(unit, awaited.into_iter().map(of_all).collect());
            }
            (place, held)
        });
        HeldCalls(calls.collect())
    }

    /// Waits of others for a location that is held in a call, each with the finding of that location's waits; the rest of
    /// `part` is the call's.
    pub(super) fn passed_on(&self, facts: &Facts<'a>, part: &mut Part) -> Vec<(usize, Part)> {
        let held = facts.place(part.path).and_then(|place| self.0.get(&place));
        let Some((held, unit)) = held.zip(part.unit) else { return Vec::new() };
        let direct = part.direct;
        let of_one = |&(awaited, share): &(u32, f64)| {
            let seconds = direct * share;
            part.direct -= seconds;
            (held.finding, Part { path: None, unit: Some(awaited), direct: 0.0, indirect: seconds, ..*part })
        };
        held.shares.get(&unit).into_iter().flatten().map(of_one).collect()
    }
}
