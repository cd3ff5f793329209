//! A location works longer than those that wait for its messages.

use ats_documents::explanation::CauseKind;
use ats_model::mpi::{Function, Kind};

use super::distribution::{IS_EVEN, is_uneven};
use crate::explanation::case::Case;
use crate::explanation::fit::Fit;
use crate::explanation::mechanism::Mechanism;
use crate::explanation::steps::{LatePasses, When, growth, late_passes};
use crate::explanation::wording::{self, agree, duration, object, region, subject};

/// Fits waits for data: a location works longer before it sends than others before they receive. The time of a call is no
/// work.
pub(super) fn rule(case: &Case<'_>) -> Option<Fit> {
    (case.mechanism == Mechanism::Data && !case.units.is_empty() && case.call().is_none()).then(|| Fit {
        cause: CauseKind::UnevenWork,
        confidence: if case.path.is_some() { 0.5 } else { 0.3 },
        what: longer(case),
        evidence: Vec::new(),
        advice: advice(case),
    })
}

/// Advice to work less before the message is sent, or after. In an operation of all, nothing is sent before.
fn advice(case: &Case<'_>) -> String {
    let (late, waiting) = (case.main_units(), case.waiting());
    let is_operation = case.findings().next().is_some_and(|finding| is_collective(&finding.call_path));
    let earlier = match is_operation {
        true => "start the operation, non-blocking, before the work that it does not depend on.",
        false => "send before the work that the message does not depend on.",
    };
    if case.path.is_some() && !is_uneven(case) {
        return format!("{IS_EVEN} Instead, {earlier}");
    }
    if waiting.iter().all(|unit| late.contains(unit)) {
        return format!("Share the work evenly, or {earlier}");
    }
    let less = agree(&late, "it", "them");
    // One that waits for many has less work than all of them.
    match late.len() > waiting.len() {
        true => format!("Give {} more of the work, or {earlier}", object(case.facts, &waiting)),
        false => format!("Give {less} less work, or {earlier}"),
    }
}

/// Whether a call path ends in an operation of all members of a communicator.
pub(super) fn is_collective(call_path: &[String]) -> bool {
    let call = call_path.last().and_then(|name| Function::of_spelling(name));
    call.is_some_and(|call| matches!(call.kind(), Kind::Collective(_) | Kind::Neighborhood(_)))
}

/// The part of a culprit's seconds that its time in the region explains, if the same location is late each time: half, as
/// [`is_uneven`] has it. A lower value tells a mean that no single step shows, and a higher one says less than is known.
const EACH_TIME: f64 = 0.5;

/// Sentence about the time that culprits spend in the region beyond those that wait: `Rank 0 spends 50.0 ms more in each
/// of 10 calls of …`.
pub(super) fn longer(case: &Case<'_>) -> String {
    let facts = case.facts;
    let culprits = case.main_units();
    let who = subject(facts, &culprits);
    let are = agree(&culprits, "is", "are");
    let Some((path, &(worst, cost))) = case.path.zip(case.units.first()) else {
        return format!("{who} {are} late, for a reason that the trace does not show.");
    };
    let (time, visits) = (case.time(), case.visits());
    let waiting: Vec<usize> =
        case.waiting().into_iter().filter(|&unit| unit != worst).map(|unit| unit as usize).collect();
    let worst = worst as usize;
    let mean = waiting.iter().map(|&unit| time[unit]).sum::<f64>() / waiting.len().max(1) as f64;
    let more = time[worst] - mean;
    let are_all = culprits.len() > 1 && case.waiting().iter().all(|unit| culprits.contains(unit));
    // The time of a call includes the waits there.
    if are_all || case.call().is_some() || more * (waiting.len() as f64) < EACH_TIME * cost {
        let in_turn = if culprits.len() > 1 { " in turn" } else { "" };
        return format!("{who} {are} late{in_turn} because of {}.", region(case));
    }
    let spend = agree(&culprits, "spends", "spend up to");
    let calls = visits[worst];
    let are_as_many = calls > 1.0 && waiting.iter().all(|&unit| visits[unit] == calls);
    let late = if culprits.len() == 1 { late_passes(case, calls) } else { LatePasses::All };
    if !are_as_many || late == LatePasses::Unknown {
        return format!("{who} {spend} {} more in {}.", duration(more), region(case));
    }
    let visits = wording::visits(facts, path);
    if let Some([first, last]) = growth(case).filter(|_| culprits.len() == 1) {
        let (region, first, last) = (region(case), duration(first), duration(last));
        return format!(
            "{who} spends more and more time in each of {calls} {visits} {region}: {first} more in the first, {last} more in the last."
        );
    }
    let (number, these, time) = match late {
        LatePasses::Some(number, when) => {
            let (these, time) = late_ones(number, when, calls);
            (number as f64, these, time)
        }
        LatePasses::All | LatePasses::Unknown => (calls, format!("each of {calls}"), String::new()),
    };
    format!("{who} {spend} {} more in {these} {visits} {}{time}.", duration(more / number), region(case))
}

/// The late ones of `calls` passes, and their time: `each of the last 30 of 60` and `, from 2.90 s on`.
fn late_ones(number: usize, when: When, calls: f64) -> (String, String) {
    match when {
        When::From(begin) => {
            (format!("each of the last {number} of {calls}"), format!(", from {begin:.3} s on"))
        }
        When::Until(end) => (format!("each of the first {number} of {calls}"), format!(", until {end:.3} s")),
        When::Between(begin, end) => {
            (format!("each of {number} of {calls}"), format!(", from {begin:.3} s to {end:.3} s"))
        }
        When::OneOf(of) => (format!("one of {of}, {number} of {calls}"), String::new()),
        When::Scattered => (format!("{number} of {calls}"), String::new()),
    }
}
