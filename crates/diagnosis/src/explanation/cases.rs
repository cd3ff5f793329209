//! The cases of a run: its waits and transfers, by their keys.

use std::collections::{BTreeMap, HashMap, HashSet};

use ats_documents::Finding;
use ats_documents::causes::{Cause, CausedFinding};
use ats_model::mpi::{Arity, Function, Kind};

use super::case::Case;
use super::facts::{Facts, Place, lost};
use super::held::HeldCalls;
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
    let Parts { own: parts, of_teams: passed_on, of_held } = parts(facts);
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
    for (finding, part) in of_held {
        let finding = &facts.analysis.findings[finding];
        cases.entry(key::key(facts, Mechanism::Progress, None, finding, &sections)).or_default().push(part);
    }
    let with = joined::joined(facts, cases);
    let moving = transfers.into_iter().filter_map(|transfers| Case::of_transfers(facts, transfers));
    let idle = tasks::idle(facts).into_iter().map(|idle| match idle.tasks.is_empty() {
        true => Case::of_barriers(facts, idle),
        false => Case::of_idle(facts, idle),
    });
    let all = with.into_iter().chain(moving).chain(idle).filter(|case| case.seconds() > 0.0);
    joined::of_small_tasks(facts, all.collect())
}

/// Parts of waits, with their mechanisms.
#[derive(Debug, Default)]
struct Parts {
    own: Vec<(Mechanism, Part)>,
    /// Those of threads whose process waits for another one.
    of_teams: Vec<(Mechanism, Part)>,
    /// Those for locations that wait for progress themselves, with the finding of that.
    of_held: Vec<(usize, Part)>,
}

/// All parts of the waits.
fn parts(facts: &Facts<'_>) -> Parts {
    let orders = orders(facts);
    let all = facts.causes().map_or(&[][..], |causes| &causes.findings);
    let caused: HashMap<&str, &CausedFinding> =
        all.iter().map(|caused| (caused.finding.as_str(), caused)).collect();
    let held = HeldCalls::new(facts);
    let Parts { own: mut parts, of_teams: mut passed_on, mut of_held } = Parts::default();
    for (index, finding) in lost(facts.analysis) {
        let Some(state) = finding.property else { continue };
        let mechanism = Mechanism::of_state(state);
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
                let mut part = of(direct, indirect);
                of_held.extend(held.passed_on(facts, &mut part));
                let unknown = part.direct - most(facts, &part);
                if unknown > 0.0 && !mechanism.is_of_threads() {
                    part.direct -= unknown;
                    let path = None;
                    parts.push((mechanism, Part { path, direct: unknown, indirect: 0.0, ..part }));
                }
                parts.push((mechanism, part));
            }
        }
        let left = finding.waiting_time - causes.iter().map(Cause::seconds).sum::<f64>();
        if left > finding.waiting_time * UNATTRIBUTED {
            parts.extend(without_cause(facts, index, left).into_iter().map(|part| (mechanism, part)));
        }
    }
    Parts { own: parts, of_teams: passed_on, of_held }
}

/// The seconds that all other locations can wait for the time of one in a call path. Root causes divide a wait among what is
/// known, however little that is: the rest is for code that the trace does not show.
fn most(facts: &Facts<'_>, part: &Part) -> f64 {
    let time = facts.place(part.path).zip(part.unit).map(|(path, unit)| facts.time(path)[unit as usize]);
    time.map_or(f64::INFINITY, |time| time * facts.profile.units.len().saturating_sub(1) as f64)
}

/// The names of critical sections, as far as waits show them.
fn sections<'a>(facts: &Facts<'a>, parts: &[(Mechanism, Part)]) -> Sections<'a> {
    let mut sections = Sections::default();
    for (_, part) in parts.iter().filter(|(mechanism, _)| *mechanism == Mechanism::Lock) {
        sections.add(&facts.analysis.findings[part.finding], facts.place(part.path));
    }
    sections
}

/// Seconds of a finding that have no cause: only who is awaited may be known.
fn without_cause(facts: &Facts<'_>, finding: usize, seconds: f64) -> Vec<Part> {
    let waits = facts.waits.of_finding(finding);
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
    let is_of_order = |finding: &Finding| finding.property.map(Mechanism::of_state) == Some(Mechanism::Order);
    let has_order = |finding: &Finding| {
        let call = finding.call_path.last().and_then(|name| Function::of_spelling(name));
        let arity = call.map(Function::kind);
        !matches!(arity, Some(Kind::Completion { of: Arity::All | Arity::Some | Arity::Any, .. }))
    };
    let mut costs: HashMap<Place<'a>, f64> = HashMap::new();
    for (_, finding) in lost(facts.analysis).filter(|(_, finding)| is_of_order(finding) && has_order(finding))
    {
        *costs.entry(Place::of_finding(finding)).or_default() += finding.waiting_time;
    }
    let besides = |path: &Place<'_>| facts.besides_waits(*path).iter().sum::<f64>();
    let wrong = costs.into_iter().filter(|(path, cost)| *cost > 0.0 && besides(path) <= *cost);
    wrong.map(|(path, _)| path).collect()
}
