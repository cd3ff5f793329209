//! Judges a count: how often a call or construct was entered in the basis, wherever that is.

use ats_model::finding::{View, is_harness};
use ats_model::validation::{Expectation, Judgement, Outcome};
use ats_model::{Finding, Report};

use super::{Case, place, unjudged};

/// The run has to do what the parameters say, and the tool to count exactly that.
pub(super) fn judge(expected: &Finding, case: &Case<'_>) -> Expectation {
    let region = expected.call_path.last().map_or("", String::as_str);
    let observed = case.observed.counts.get(region).map_or(0, |count| count.calls);
    let Some(found) = reported(region, case.report) else {
        return Expectation { observed: observed as f64, ..unjudged(expected, Outcome::Unsupported) };
    };
    let (outcome, property, amount) = match found {
        _ if observed != expected.instances => {
            (Outcome::NotManifested, Judgement::NotApplicable, Judgement::NotApplicable)
        }
        0 => (Outcome::Missed, Judgement::No, Judgement::NotApplicable),
        _ if found == observed => (Outcome::Found, Judgement::Yes, Judgement::Yes),
        _ => (Outcome::Wrong, Judgement::Yes, Judgement::No),
    };
    Expectation {
        property,
        amount,
        observed: observed as f64,
        found: found as f64,
        ..unjudged(expected, outcome)
    }
}

/// How often the report counts that a call was entered: by itself, or at all its call paths; none where it counts nothing.
fn reported(region: &str, report: &Report) -> Option<u64> {
    let is_it =
        |path: &[String]| !is_harness(path) && path.last().is_some_and(|frame| place::is_call(region, frame));
    let counts: Vec<&Finding> =
        report.findings.iter().filter(|finding| finding.view == View::Count).collect();
    if !counts.is_empty() {
        return Some(
            counts.iter().filter(|count| is_it(&count.call_path)).map(|count| count.instances).sum(),
        );
    }
    let mut visited = report
        .calls
        .iter()
        .flat_map(|call| call.locations.iter().filter_map(move |at| Some((call, at.visits?))))
        .peekable();
    visited.peek()?;
    Some(visited.filter(|(call, _)| is_it(&call.call_path)).map(|(_, visits)| visits).sum())
}
