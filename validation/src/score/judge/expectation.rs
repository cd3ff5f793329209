//! The four judgements of one expectation, and the outcome that follows from them.

use ats_documents::Finding;
use ats_documents::finding::View;
use ats_documents::score::{Expectation, Judgement, Outcome, Severities};
use ats_model::WaitState;

use super::claims::Claim;
use super::shares::Shares;
use super::{Case, Rules, metrics, unjudged};

/// The observed amount of an expectation.
pub(super) struct Observed<'a> {
    /// The finding of the observed truth; none where it has none.
    pub(super) finding: Option<&'a Finding>,
    /// Empty where the truth does not say who waits.
    pub(super) shares: Shares,
    pub(super) seconds: f64,
    pub(super) severity: f64,
}

pub(super) fn observed<'a>(expected: &Finding, case: &Case<'a>) -> Observed<'a> {
    let finding = case.observed.findings.iter().find(|finding| is_same(expected, finding));
    let shares = shares(finding);
    let seconds = seconds(finding);
    Observed { finding, shares, seconds, severity: case.observed.basis.severity(seconds) }
}

/// Whether the run showed at least half of what was promised, and enough to be reported.
pub(super) fn is_manifest(expected: &Finding, observed: &Observed<'_>, rules: &Rules) -> bool {
    is_shown(expected, observed) && observed.severity >= rules.threshold
}

fn is_shown(expected: &Finding, observed: &Observed<'_>) -> bool {
    observed.seconds >= expected.waiting_time / 2.0
}

/// The outcome of what is not [manifest](is_manifest).
pub(super) fn not_manifest(expected: &Finding, observed: &Observed<'_>) -> Outcome {
    if is_shown(expected, observed) { Outcome::BelowThreshold } else { Outcome::NotManifested }
}

pub(super) fn judge(expected: &Finding, claim: &Claim<'_>, case: &Case<'_>, rules: &Rules) -> Expectation {
    let observed = observed(expected, case);
    let claimed: &[&Finding] = match claim {
        Claim::Right(findings) => findings,
        Claim::Misplaced(finding) | Claim::Misnamed(finding) => std::slice::from_ref(finding),
        Claim::Nothing => &[],
    };
    let found_shares = shares(claimed.iter().copied());
    let found_seconds = seconds(claimed.iter().copied());
    let locations_are_known = observed.finding.into_iter().chain(claimed.iter().copied()).all(has_locations);
    let severity = Severities {
        nominal: expected.severity,
        observed: observed.severity,
        found: case.observed.basis.severity(found_seconds),
    };
    let noise = rules.noise_of_a_share(observed.finding.unwrap_or(expected));
    let tolerance = rules.tolerance_for(observed.finding.unwrap_or(expected));

    let manifest = is_manifest(expected, &observed, rules);
    let reported = severity.found >= rules.threshold
        || manifest && tolerance.agrees(observed.seconds, found_seconds) && found_seconds > 0.0;
    let judged = manifest && reported && *claim != Claim::Nothing;
    let judgement = |holds: bool| if judged { Judgement::from_bool(holds) } else { Judgement::NotApplicable };
    let property = match manifest {
        true => Judgement::from_bool(reported && matches!(claim, Claim::Right(_) | Claim::Misplaced(_))),
        false => Judgement::NotApplicable,
    };
    let place = match claim {
        Claim::Right(findings) if findings.iter().all(|finding| finding.call_path.is_empty()) => {
            Judgement::NotApplicable
        }
        _ => judgement(matches!(claim, Claim::Right(_) | Claim::Misnamed(_))),
    };
    let locations = if !locations_are_known {
        Judgement::NotApplicable
    } else if expected.exchangeable {
        judgement(observed.shares.same_but_exchanged(&found_shares, noise, tolerance.relative))
    } else {
        judgement(observed.shares.same_locations(&found_shares, noise, tolerance.relative))
    };
    let amount = judgement(tolerance.agrees(observed.seconds, found_seconds));

    if manifest && !is_supported(expected, claim, case) {
        return Expectation {
            waiting: observed.shares.waiting(noise),
            observed: observed.seconds,
            severity: Severities { found: 0.0, ..severity },
            ..unjudged(expected, Outcome::Unsupported)
        };
    }
    let outcome = match property {
        Judgement::NotApplicable => not_manifest(expected, &observed),
        Judgement::No => Outcome::Missed,
        Judgement::Yes if [place, locations, amount].contains(&Judgement::No) => Outcome::Wrong,
        Judgement::Yes => Outcome::Found,
    };
    Expectation {
        waiting: if manifest { observed.shares.waiting(noise) } else { shares([expected]).waiting(0.0) },
        property,
        place,
        locations,
        amount,
        observed: observed.seconds,
        found: found_seconds,
        reported_as: match claim {
            Claim::Misnamed(finding) if judged => Some(finding.kind().to_owned()),
            _ => None,
        },
        severity,
        ..unjudged(expected, outcome)
    }
}

/// Whether the tool can name the wait state, or one that may stand for it; whatever it names it can.
fn is_supported(expected: &Finding, claim: &Claim<'_>, case: &Case<'_>) -> bool {
    if expected.view == View::Delay {
        return expected.metric.as_ref().is_some_and(|metric| metrics::is_supported(metric, case.report));
    }
    let accepted = |state: &WaitState| {
        expected.property == Some(*state)
            || expected.accept.iter().any(|accepted| state.metric() == Some(accepted))
    };
    matches!(claim, Claim::Right(_) | Claim::Misplaced(_)) || case.report.names.iter().any(accepted)
}

/// The same finding in two truths of one program.
fn is_same(one: &Finding, other: &Finding) -> bool {
    one.view == other.view && one.property == other.property && one.call_path == other.call_path
}

fn has_locations(finding: &Finding) -> bool {
    !finding.locations.is_empty()
}

/// Those of the locations, where they are known.
fn seconds<'a>(findings: impl IntoIterator<Item = &'a Finding>) -> f64 {
    findings.into_iter().fold(0.0, |sum, finding| {
        sum + if has_locations(finding) { shares([finding]).total() } else { finding.waiting_time }
    })
}

pub(super) fn shares<'a>(findings: impl IntoIterator<Item = &'a Finding>) -> Shares {
    let mut shares = Shares::default();
    for finding in findings {
        shares.add(&finding.locations);
    }
    shares
}
