//! Locations that wait in a problem, by seconds of it: a finding is of several problems, and others wait there for those.

use std::collections::BTreeMap;

use super::facts::Facts;
use super::mechanism::Mechanism;
use super::part::Part;

/// The least share of the most seconds of a location that makes another one worth its name among those that wait. Rounding
/// and other programs let all wait for microseconds in the findings of a problem; with a higher value ranks of an uneven
/// distribution whose own waits are shorter than those of most are left out.
const WORTH: f64 = 0.1;

/// The same for a location that others wait for: to be named on both sides, it has to wait for about as long as they do.
const GOOD: f64 = 0.5;

/// Seconds that each location waits in some parts of findings.
#[derive(Clone, Debug, Default)]
pub(super) struct Waiting(BTreeMap<u32, f64>);

impl Waiting {
    /// Those of parts.
    pub(super) fn new<'p>(facts: &Facts<'_>, parts: impl Iterator<Item = &'p Part>) -> Self {
        let mut waiting = Waiting::default();
        let mut indirect: BTreeMap<(usize, Option<u32>), f64> = BTreeMap::new();
        for part in parts {
            if part.direct > 0.0 {
                waiting.spread(part.direct, direct(facts, part));
            }
            if part.indirect > 0.0 {
                *indirect.entry((part.finding, process(facts, part))).or_default() += part.indirect;
            }
        }
        for ((finding, rank), seconds) in indirect {
            waiting.spread(seconds, shares(facts, finding, rank));
        }
        waiting
    }

    /// Spreads seconds over locations by these amounts.
    fn spread(&mut self, seconds: f64, amounts: Vec<(u32, f64)>) {
        let all: f64 = amounts.iter().map(|(_, amount)| amount).sum();
        for (unit, amount) in amounts.into_iter().filter(|_| all > 0.0) {
            *self.0.entry(unit).or_default() += seconds * amount / all;
        }
    }

    /// The locations that wait for most of it, in their order; `late` are some that others wait for.
    pub(super) fn main(&self, late: &[u32]) -> Vec<u32> {
        self.beside(self, late)
    }

    /// The same beside those of more parts.
    pub(super) fn beside(&self, more: &Waiting, late: &[u32]) -> Vec<u32> {
        let most = more.0.values().copied().fold(0.0, f64::max);
        let least = |unit: &u32| most * if late.contains(unit) { GOOD } else { WORTH };
        let of_them = self.0.iter().filter(|&(unit, &seconds)| seconds > 0.0 && seconds >= least(unit));
        of_them.map(|(unit, _)| *unit).collect()
    }
}

/// The locations that wait for the one that is late: by the single waits for it, else by all waits there but its own.
fn direct(facts: &Facts<'_>, part: &Part) -> Vec<(u32, f64)> {
    let pairs = part.unit.and_then(|unit| facts.waiting(part.finding, unit));
    if let Some(pairs) = pairs {
        return pairs.iter().map(|(&unit, &ticks)| (unit, ticks as f64)).collect();
    }
    let all = shares(facts, part.finding, process(facts, part));
    let others: Vec<_> = all.iter().filter(|(unit, _)| Some(*unit) != part.unit).copied().collect();
    if others.is_empty() { all } else { others }
}

/// The process that is late, if its threads wait for each other.
fn process(facts: &Facts<'_>, part: &Part) -> Option<u32> {
    let state = facts.analysis.findings[part.finding].property?;
    let unit = part.unit.filter(|_| Mechanism::of_state(state).is_of_threads())?;
    Some(facts.location(unit).rank)
}

/// The locations that wait in a finding; those of a process, if it is one of them.
fn shares(facts: &Facts<'_>, finding: usize, rank: Option<u32>) -> Vec<(u32, f64)> {
    let shares = facts.analysis.findings[finding].locations.iter().filter(|share| share.waiting_time > 0.0);
    let all: Vec<_> = shares.filter_map(|of| Some((facts.unit(of.place())?, of.waiting_time))).collect();
    let is_beside = |(unit, _): &&(u32, f64)| Some(facts.location(*unit).rank) == rank;
    let beside: Vec<_> = all.iter().filter(is_beside).copied().collect();
    if beside.is_empty() { all } else { beside }
}
