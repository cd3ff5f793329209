//! Cases: waits that one call path causes.

use std::collections::{BTreeMap, HashMap, HashSet};

use ats_documents::Finding;
use ats_documents::causes::{Cause, CausedFinding};
use ats_documents::explanation::Culprit;
use ats_documents::profile::FunctionShare;
use ats_model::mpi::{Arity, Function, Kind};

use super::facts::{Facts, Place, lost};
use super::mechanism::Mechanism;
use super::rules;
use super::transfers::Transfers;
use super::waits::Span;

/// The waits of one mechanism that a call path causes, or waits without a known cause.
#[derive(Debug)]
pub(super) struct Case<'a> {
    pub(super) facts: &'a Facts<'a>,
    pub(super) mechanism: Mechanism,
    /// The call path that locations are late in; none if it is not known.
    pub(super) path: Option<Place<'a>>,
    /// The findings that it explains, with the seconds; the largest first.
    pub(super) effects: Vec<(usize, f64)>,
    /// Seconds that others wait because of a unit; the largest first.
    pub(super) units: Vec<(u32, f64)>,
    /// Seconds that are waited for a unit's work.
    pub(super) direct: f64,
    /// Seconds that are waited because a unit has waited itself.
    pub(super) indirect: f64,
    /// The calls that move data, if these take the time.
    pub(super) transfers: Option<Transfers<'a>>,
}

/// The call paths that receive in the wrong order, if that costs more than the rest of the time there that is no wait.
/// Calls that complete requests in any order have none that is wrong.
fn orders<'a>(facts: &Facts<'a>) -> HashSet<Place<'a>> {
    let is_of_order = |finding: &&Finding| finding.property.map(Mechanism::of) == Some(Mechanism::Order);
    let has_order = |finding: &&Finding| {
        let call = finding.call_path.last().and_then(|name| Function::of_spelling(name));
        let arity = call.map(Function::kind);
        !matches!(arity, Some(Kind::Completion { of: Arity::All | Arity::Some | Arity::Any, .. }))
    };
    let mut seconds: HashMap<Place<'a>, Seconds> = HashMap::new();
    for (_, finding) in lost(facts.analysis) {
        let of = seconds.entry(Place::of(finding)).or_default();
        of.waited += finding.waiting_time;
        if is_of_order(&finding) && has_order(&finding) {
            of.order += finding.waiting_time;
        }
    }
    let is_slow = |path: Place<'_>, of: &Seconds| facts.time(path).iter().sum::<f64>() - of.waited > of.order;
    let wrong = seconds.into_iter().filter(|(path, of)| of.order > 0.0 && !is_slow(*path, of));
    wrong.map(|(path, _)| path).collect()
}

/// Seconds that are waited at a call path, and those of them that its order costs.
#[derive(Debug, Default)]
struct Seconds {
    waited: f64,
    order: f64,
}

/// The sums of a case.
#[derive(Debug, Default)]
struct Sums {
    effects: BTreeMap<usize, f64>,
    units: BTreeMap<u32, f64>,
    direct: f64,
    indirect: f64,
}

impl Sums {
    fn add(&mut self, finding: usize, unit: u32, (direct, indirect): (f64, f64)) {
        *self.effects.entry(finding).or_default() += direct + indirect;
        *self.units.entry(unit).or_default() += direct + indirect;
        self.direct += direct;
        self.indirect += indirect;
    }

    fn seconds(&self) -> f64 {
        self.direct + self.indirect
    }
}

/// All cases, in no order: those of waits, and of these transfers.
pub(super) fn cases<'a>(facts: &'a Facts<'a>, transfers: Vec<Transfers<'a>>) -> Vec<Case<'a>> {
    let orders = orders(facts);
    let all = facts.causes().map_or(&[][..], |causes| &causes.findings);
    let caused: HashMap<&str, &CausedFinding> =
        all.iter().map(|caused| (caused.finding.as_str(), caused)).collect();
    let mut cases: BTreeMap<(Mechanism, u32), Sums> = BTreeMap::new();
    let mut uncaused: BTreeMap<(Mechanism, usize), Sums> = BTreeMap::new();
    let mut passed_on = Vec::new();
    for (index, finding) in lost(facts.analysis) {
        let Some(state) = finding.property else { continue };
        let mechanism = Mechanism::of(state);
        let causes = caused.get(finding.id.as_str()).map_or(&[][..], |caused| &caused.causes);
        for cause in causes {
            let path = facts.causes().and_then(|causes| Place::of_cause(causes, cause.call_path));
            // What the order of receives costs is charged to the receive, as the time of the call itself is; the rest would be
            // waited in any order.
            let mechanism = match mechanism {
                _ if path.is_some_and(|path| orders.contains(&path)) => Mechanism::Order,
                Mechanism::Order => Mechanism::Data,
                other => other,
            };
            let of = cases.entry((mechanism, cause.call_path)).or_default();
            if mechanism.is_of_threads() && cause.indirect > 0.0 {
                of.add(index, cause.unit, (cause.direct, 0.0));
                passed_on.push((mechanism, index, cause));
            } else {
                of.add(index, cause.unit, (cause.direct, cause.indirect));
            }
        }
        let left = finding.waiting_time - causes.iter().map(Cause::seconds).sum::<f64>();
        if left > finding.waiting_time * UNATTRIBUTED {
            uncaused.insert((mechanism, index), without_cause(facts, index, left));
        }
    }
    // Threads that wait because their process waits for another one are part of that problem.
    for (mechanism, index, cause) in passed_on {
        let of_processes = [Mechanism::Data, Mechanism::Meeting, Mechanism::Receiver];
        let keys = of_processes.map(|mechanism| (mechanism, cause.call_path));
        let seconds = |key: &(Mechanism, u32)| cases.get(key).map_or(0.0, Sums::seconds);
        let largest = keys.into_iter().max_by(|a, b| seconds(a).total_cmp(&seconds(b)));
        let key = largest.filter(|key| seconds(key) > 0.0).unwrap_or((mechanism, cause.call_path));
        cases.entry(key).or_default().add(index, cause.unit, (0.0, cause.indirect));
    }
    let path = |number: u32| Place::of_cause(facts.causes()?, number);
    let with =
        cases.into_iter().map(|((mechanism, number), of)| Case::new(facts, mechanism, path(number), of));
    let without = uncaused.into_iter().map(|((mechanism, _), of)| Case::new(facts, mechanism, None, of));
    let moving = transfers.into_iter().filter_map(|transfers| Case::of_transfers(facts, transfers));
    with.chain(without).chain(moving).filter(|case| case.seconds() > 0.0).collect()
}

/// Seconds of a finding that have no cause: only who is awaited may be known.
fn without_cause(facts: &Facts<'_>, finding: usize, seconds: f64) -> Sums {
    let mut sums = Sums { direct: seconds, ..Sums::default() };
    sums.effects.insert(finding, seconds);
    let waits = facts.waits.of(finding);
    let all: u64 = waits.iter().map(Span::ticks).sum();
    for wait in waits {
        if let Some(unit) = wait.awaited() {
            *sums.units.entry(unit).or_default() += seconds * wait.ticks() as f64 / all as f64;
        }
    }
    sums
}

/// The part of a finding without a cause that is due to rounding.
const UNATTRIBUTED: f64 = 1e-6;

fn largest_first<K: Ord>(sums: BTreeMap<K, f64>) -> Vec<(K, f64)> {
    let mut sums: Vec<_> = sums.into_iter().collect();
    sums.sort_by(|(_, a), (_, b)| b.total_cmp(a));
    sums
}

impl<'a> Case<'a> {
    fn new(facts: &'a Facts<'a>, mechanism: Mechanism, path: Option<Place<'a>>, of: Sums) -> Self {
        let Sums { effects, units, direct, indirect } = of;
        let (effects, units) = (largest_first(effects), largest_first(units));
        Case { facts, mechanism, path, effects, units, direct, indirect, transfers: None }
    }

    /// The case of transfers, if something shows that they could be faster: small messages, or slow ones.
    fn of_transfers(facts: &'a Facts<'a>, transfers: Transfers<'a>) -> Option<Self> {
        let mut units = BTreeMap::new();
        if !rules::that_repeat(facts, &transfers).is_empty() {
            units.clone_from(&transfers.units);
        } else {
            for messages in transfers.slow(facts) {
                *units.entry(facts.unit(messages.receiver)?).or_default() += messages.seconds;
            }
        }
        let direct = units.values().fold(0.0, |sum, seconds| sum + seconds);
        let path = transfers.calls.first().copied();
        let case = Case::new(facts, Mechanism::Transfer, path, Sums { units, direct, ..Sums::default() });
        (direct > 0.0).then_some(Case { transfers: Some(transfers), ..case })
    }

    /// Seconds lost.
    pub(super) fn seconds(&self) -> f64 {
        self.direct + self.indirect
    }

    /// The units that cause most of it, in their order.
    pub(super) fn main_units(&self) -> Vec<u32> {
        let least = self.units.first().map_or(0.0, |(_, most)| most * MAIN);
        let mut units: Vec<u32> =
            self.units.iter().filter(|(_, seconds)| *seconds >= least).map(|(unit, _)| *unit).collect();
        units.sort_unstable();
        units
    }

    /// The unit that causes nearly all of it, if there is one.
    pub(super) fn only_unit(&self) -> Option<u32> {
        let &(unit, seconds) = self.units.first()?;
        (seconds >= NEARLY_ALL * self.seconds()).then_some(unit)
    }

    /// The call of MPI that the culprits are late in, if it is one.
    pub(super) fn call(&self) -> Option<Function> {
        Function::of_spelling(self.path?.names.last()?)
    }

    /// The culprits of the document.
    pub(super) fn culprits(&self) -> Vec<Culprit> {
        let culprit = |&(unit, seconds)| Culprit { location: self.facts.location(unit), seconds };
        self.units.iter().map(culprit).collect()
    }

    /// The functions that the main culprits spend their time in there, if that is code and not moving data.
    pub(super) fn functions(&self) -> Vec<FunctionShare> {
        let path = self.path.filter(|_| self.transfers.is_none());
        path.map(|path| self.facts.functions(path, &self.main_units())).unwrap_or_default()
    }

    /// The findings that are explained.
    pub(super) fn findings(&self) -> impl Iterator<Item = &'a Finding> {
        self.effects.iter().map(|&(finding, _)| &self.facts.analysis.findings[finding])
    }

    /// The single waits of the findings that are explained.
    pub(super) fn waits(&self) -> impl Iterator<Item = &'a Span> {
        self.effects.iter().flat_map(|&(finding, _)| self.facts.waits.of(finding))
    }

    /// The units that wait, in their order.
    pub(super) fn waiting(&self) -> Vec<u32> {
        let locations = self.findings().flat_map(|finding| &finding.locations);
        let mut units: Vec<u32> = locations
            .filter(|share| share.waiting_time > 0.0)
            .filter_map(|share| self.facts.unit(share.place()))
            .collect();
        units.sort_unstable();
        units.dedup();
        units
    }

    /// The call path that the culprit's and the waiting calls have in common.
    pub(super) fn phase(&self) -> Vec<String> {
        let paths = self.findings().map(|finding| finding.call_path.as_slice());
        let paths = paths.chain(self.path.map(|path| path.names));
        paths
            .map(<[String]>::to_vec)
            .reduce(|common, path| {
                common.iter().zip(&path).take_while(|(a, b)| a == b).map(|(a, _)| a.clone()).collect()
            })
            .unwrap_or_default()
    }
}

/// Least share of the worst culprit's seconds that makes another culprit worth its name.
const MAIN: f64 = 0.25;

/// The share of a case that one culprit has if the others do not matter.
pub(super) const NEARLY_ALL: f64 = 0.9;
