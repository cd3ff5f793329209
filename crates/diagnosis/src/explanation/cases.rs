//! The cases of a run: its waits and transfers, by their keys.

use std::collections::{BTreeMap, HashMap, HashSet};

use ats_documents::Finding;
use ats_documents::causes::{Cause, CausedFinding};
use ats_model::mpi::{Arity, Function, Kind};

use super::case::Case;
use super::facts::{Facts, Place, lost};
use super::joined;
use super::key::{self, Key, Sections};
use super::mechanism::Mechanism;
use super::part::Part;
use super::tasks;
use super::transfers::Transfers;
use super::waits::Span;

/// All cases, in no order: those of waits, of these transfers, and of threads without tasks.
pub(super) fn cases<'a>(facts: &'a Facts<'a>, transfers: Vec<Transfers<'a>>) -> Vec<Case<'a>> {
    let mut cases: BTreeMap<Key<'a>, Vec<Part>> = BTreeMap::new();
    let mut of_paths: HashMap<(Mechanism, u32), BTreeMap<Key<'a>, f64>> = HashMap::new();
    let (parts, passed_on) = parts(facts);
    let sections = sections(facts, &parts);
    let key = |mechanism, part: &Part| {
        let finding = &facts.analysis.findings[part.finding];
        key::key(facts, mechanism, facts.place(part.path), finding, &sections)
    };
    for (mechanism, part) in parts {
        let key = key(mechanism, &part);
        cases.entry(key).or_default().push(part);
        if let Some(path) = part.path {
            *of_paths.entry((mechanism, path)).or_default().entry(key).or_default() += part.seconds();
        }
    }
    // Threads that wait because their process waits for another one are part of that problem.
    for (mechanism, part) in passed_on {
        let of_processes = [Mechanism::Data, Mechanism::Meeting, Mechanism::Receiver];
        let same_code = of_processes.into_iter().filter_map(|of| of_paths.get(&(of, part.path?))).flatten();
        let largest = same_code.max_by(|(_, a), (_, b)| a.total_cmp(b)).map(|(key, _)| *key);
        cases.entry(largest.unwrap_or_else(|| key(mechanism, &part))).or_default().push(part);
    }
    let with = joined::joined(facts, cases);
    let moving = transfers.into_iter().filter_map(|transfers| Case::of_transfers(facts, transfers));
    let idle = tasks::idle(facts).into_iter().map(|idle| Case::of_idle(facts, idle));
    with.into_iter().chain(moving).chain(idle).filter(|case| case.seconds() > 0.0).collect()
}

/// Parts of waits, each with its mechanism.
type Parts = Vec<(Mechanism, Part)>;

/// All parts of the waits, and those of threads whose process waits for another one.
fn parts(facts: &Facts<'_>) -> (Parts, Parts) {
    let orders = orders(facts);
    let all = facts.causes().map_or(&[][..], |causes| &causes.findings);
    let caused: HashMap<&str, &CausedFinding> =
        all.iter().map(|caused| (caused.finding.as_str(), caused)).collect();
    let (mut parts, mut passed_on) = (Vec::new(), Vec::new());
    for (index, finding) in lost(facts.analysis) {
        let Some(state) = finding.property else { continue };
        let mechanism = Mechanism::of(state);
        let causes = caused.get(finding.id.as_str()).map_or(&[][..], |caused| &caused.causes);
        for cause in causes {
            let path = facts.place(Some(cause.call_path));
            // What the order of receives costs is charged to the receive, as the time of the call itself is; the rest would be
            // waited in any order.
            let mechanism = match mechanism {
                _ if path.is_some_and(|path| orders.contains(&path)) => Mechanism::Order,
                Mechanism::Order => Mechanism::Data,
                other => other,
            };
            let &Cause { call_path, unit, direct, indirect, .. } = cause;
            let of = |direct, indirect| Part {
                finding: index,
                path: Some(call_path),
                unit: Some(unit),
                direct,
                indirect,
            };
            if mechanism.is_of_threads() && indirect > 0.0 {
                parts.push((mechanism, of(direct, 0.0)));
                passed_on.push((mechanism, of(0.0, indirect)));
            } else {
                parts.push((mechanism, of(direct, indirect)));
            }
        }
        let left = finding.waiting_time - causes.iter().map(Cause::seconds).sum::<f64>();
        if left > finding.waiting_time * UNATTRIBUTED {
            parts.extend(without_cause(facts, index, left).into_iter().map(|part| (mechanism, part)));
        }
    }
    (parts, passed_on)
}

/// The names of critical sections, as far as waits show them.
fn sections<'a>(facts: &Facts<'a>, parts: &Parts) -> Sections<'a> {
    let mut sections = Sections::default();
    for (_, part) in parts.iter().filter(|(mechanism, _)| *mechanism == Mechanism::Lock) {
        sections.add(&facts.analysis.findings[part.finding], facts.place(part.path));
    }
    sections
}

/// Seconds of a finding that have no cause: only who is awaited may be known.
fn without_cause(facts: &Facts<'_>, finding: usize, seconds: f64) -> Vec<Part> {
    let waits = facts.waits.of(finding);
    let all: u64 = waits.iter().map(Span::ticks).sum();
    let mut ticks: BTreeMap<Option<u32>, u64> = BTreeMap::new();
    waits.iter().for_each(|wait| *ticks.entry(wait.awaited()).or_default() += wait.ticks());
    let of = |unit, direct| Part { finding, path: None, unit, direct, indirect: 0.0 };
    match all {
        0 => vec![of(None, seconds)],
        all => ticks.into_iter().map(|(unit, ticks)| of(unit, seconds * ticks as f64 / all as f64)).collect(),
    }
}

/// The part of a finding without a cause that is due to rounding.
const UNATTRIBUTED: f64 = 1e-6;

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
