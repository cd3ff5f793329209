//! Hints at the cause of a wrong answer, for authors of a tool; the judgement does not depend on them.

use ats_documents::score::{Expectation, Judgement, Outcome};

use super::claims::Claim;
use super::{Case, Rules, place};

/// Units that may be mistaken for a second or a share, and the number of them that make one.
const UNITS: [(f64, &str); 4] =
    [(1e2, "percent"), (1e3, "milliseconds"), (1e6, "microseconds"), (1e9, "nanoseconds")];

/// The hints at the cause of a wrong expectation.
pub(super) fn hints(
    expectation: &Expectation,
    claim: &Claim<'_>,
    case: &Case<'_>,
    rules: &Rules,
) -> Vec<String> {
    if expectation.outcome != Outcome::Wrong {
        return Vec::new();
    }
    [amount(expectation, case, rules), call(expectation, claim)].into_iter().flatten().collect()
}

/// A number that is right in another unit, or more than there was.
fn amount(expectation: &Expectation, case: &Case<'_>, rules: &Rules) -> Option<String> {
    let Expectation { found, observed, .. } = *expectation;
    if expectation.amount != Judgement::No {
        return None;
    }
    let what = format!("{} at {}: {found} s", expectation.name(), expectation.call_path.join("/"));
    let known = case.observed.findings.iter().find(|finding| finding.id == expectation.id)?;
    let is_right = |amount| rules.tolerance_for(known).agrees(observed, amount);
    if let Some((_, unit)) = UNITS.iter().find(|(many, _)| is_right(found / many)) {
        return Some(format!("{what} are right as {unit}; a report is in seconds, or has a share of 1"));
    }
    let locations = expectation.waiting.len() as f64;
    if locations > 1.0 && is_right(found * locations) {
        return Some(format!(
            "{what} are right of each of {locations} locations; an amount is that of all together"
        ));
    }
    let all = case.observed.basis.location_seconds;
    (found > all).then(|| {
        format!("{what} are more than all locations had together in the part that is judged, {all:.4} s")
    })
}

/// The right call without what lies above it.
fn call(expectation: &Expectation, claim: &Claim<'_>) -> Option<String> {
    let Claim::Misplaced(finding) = claim else { return None };
    let ([call], Some(known)) = (&finding.call_path[..], expectation.call_path.last()) else { return None };
    let alone = place::is_call(known, call);
    alone.then(|| format!("{}: the call is right, and lies in {}; a tool that knows calls alone says `call` in the place of \
                           `call_path`", finding.title(), expectation.call_path.join("/")))
}
