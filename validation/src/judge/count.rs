//! Judges a count: how often a call or construct was entered in the basis, wherever that is.

use ats_model::Finding;
use ats_model::validation::{Expectation, Judgement, Outcome};

use super::{Case, unjudged};

/// The run has to do what the parameters say, and the tool to count exactly that.
pub(super) fn judge(expected: &Finding, case: &Case<'_>) -> Expectation {
    let region = expected.call_path.last().map_or("", String::as_str);
    let observed = case.observed.counts.get(region).map_or(0, |count| count.calls);
    let found = case.analysis.counts.get(region).copied().unwrap_or(0);
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
