//! Judges what is no time: how often a call was entered, how many bytes it moved, what else is counted there, or a
//! ratio. It is one number over the whole basis, wherever that is.

use ats_documents::finding::{Unit, is_harness};
use ats_documents::validation::{Expectation, Judgement, Outcome};
use ats_documents::{Finding, Report, Truth};

use super::{Case, Rules, place, unjudged};

/// The run has to do what the parameters say, and the tool to report that: of what is counted exactly, of a ratio,
/// which has to be as large as promised, within its tolerance.
pub(super) fn judge(expected: &Finding, case: &Case<'_>, rules: &Rules) -> Expectation {
    let observed = observed(expected, case.observed);
    let Some(found) = reported(expected, case.report) else {
        return Expectation { observed, ..unjudged(expected, Outcome::Unsupported) };
    };
    let tolerance = rules.tolerance_for(expected);
    let nominal = expected.quantity().value;
    let is_shown = match expected.unit() {
        Unit::Ratio(_) => observed >= nominal,
        _ => tolerance.agrees(nominal, observed),
    };
    let (outcome, property, amount) = match found {
        _ if !is_shown => (Outcome::NotManifested, Judgement::NotApplicable, Judgement::NotApplicable),
        0.0 => (Outcome::Missed, Judgement::No, Judgement::NotApplicable),
        _ if tolerance.agrees(observed, found) => (Outcome::Found, Judgement::Yes, Judgement::Yes),
        _ => (Outcome::Wrong, Judgement::Yes, Judgement::No),
    };
    Expectation { property, amount, observed, found, ..unjudged(expected, outcome) }
}

/// The amount that the run showed.
fn observed(expected: &Finding, truth: &Truth) -> f64 {
    if expected.unit() == Unit::Visits {
        let region = expected.call_path.last().map_or("", String::as_str);
        return truth.counts.get(region).map_or(0.0, |count| count.calls as f64);
    }
    let is_it =
        |finding: &&Finding| finding.unit() == expected.unit() && finding.call_path == expected.call_path;
    truth.findings.iter().find(is_it).map_or(0.0, |finding| finding.quantity().value)
}

/// The amount in the report: at the call itself, or at all its call paths; `None` if the report counts nothing of the
/// kind.
fn reported(expected: &Finding, report: &Report) -> Option<f64> {
    let region = expected.call_path.last().map_or("", String::as_str);
    let is_it =
        |path: &[String]| !is_harness(path) && path.last().is_some_and(|frame| place::is_call(region, frame));
    let unit = expected.unit();
    let alike: Vec<&Finding> = report.findings.iter().filter(|finding| finding.unit() == unit).collect();
    let amounts =
        alike.iter().filter(|finding| is_it(&finding.call_path)).map(|finding| finding.quantity().value);
    match unit {
        _ if alike.is_empty() && unit == Unit::Visits => visited(report, is_it),
        _ if alike.is_empty() => None,
        // There is no sum of ratios.
        Unit::Ratio(_) => Some(amounts.fold(0.0, f64::max)),
        _ => Some(amounts.sum::<f64>() + 0.0),
    }
}

/// The number of entries into matching calls in a profile; `None` if it counts none.
fn visited(report: &Report, is_it: impl Fn(&[String]) -> bool) -> Option<f64> {
    let mut visited = report
        .calls
        .iter()
        .flat_map(|call| call.locations.iter().filter_map(move |at| Some((call, at.visits?))))
        .peekable();
    visited.peek()?;
    let visits: u64 = visited.filter(|(call, _)| is_it(&call.call_path)).map(|(_, visits)| visits).sum();
    Some(visits as f64)
}
