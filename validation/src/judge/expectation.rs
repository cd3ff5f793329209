//! The four judgements of one expectation, and the outcome that follows from them.

use ats_model::Finding;
use ats_model::validation::{Expectation, Judgement, Outcome, Severities};

use super::claims::Claim;
use super::shares::Shares;
use super::{Case, Rules};

pub(super) fn judge(expected: &Finding, claim: &Claim<'_>, case: &Case<'_>, rules: &Rules) -> Expectation {
    let observed = case.observed.findings.iter().find(|finding| is_same(expected, finding));
    let observed_shares = shares(observed);
    let found_shares = match claim {
        Claim::Right(findings) => shares(findings.iter().copied()),
        Claim::Misplaced(finding) | Claim::Misnamed(finding) => shares([*finding]),
        Claim::Nothing => Shares::default(),
    };
    let (observed_seconds, found_seconds) = (observed_shares.total(), found_shares.total());
    let severity = Severities {
        nominal: expected.severity,
        observed: case.observed.basis.severity(observed_seconds),
        found: case.analysis.basis.severity(found_seconds),
    };
    let noise = rules.noise_of_a_share(observed.unwrap_or(expected));
    let tolerance = rules.tolerance_for(observed.unwrap_or(expected));

    let manifest = observed_seconds >= expected.waiting_time / 2.0 && severity.observed >= rules.threshold;
    let reported = severity.found >= rules.threshold
        || manifest && tolerance.agrees(observed_seconds, found_seconds) && found_seconds > 0.0;
    let judged = manifest && reported && *claim != Claim::Nothing;
    let judgement = |holds: bool| if judged { Judgement::of(holds) } else { Judgement::NotApplicable };
    let property = match manifest {
        true => Judgement::of(reported && matches!(claim, Claim::Right(_) | Claim::Misplaced(_))),
        false => Judgement::NotApplicable,
    };
    let place = judgement(matches!(claim, Claim::Right(_) | Claim::Misnamed(_)));
    let locations = judgement(if expected.exchangeable {
        observed_shares.exchanged().same_locations(&found_shares.exchanged(), noise)
    } else {
        observed_shares.same_locations(&found_shares, noise)
    });
    let amount = judgement(tolerance.agrees(observed_seconds, found_seconds));

    Expectation {
        id: expected.id.clone(),
        outcome: outcome(property, [place, locations, amount]),
        view: expected.view,
        wait_state: expected.property,
        call_path: expected.call_path.clone(),
        waiting: if manifest { observed_shares.waiting(noise) } else { shares([expected]).waiting(0.0) },
        property,
        place,
        locations,
        amount,
        nominal: expected.waiting_time,
        observed: observed_seconds,
        found: found_seconds,
        severity,
    }
}

fn outcome(property: Judgement, others: [Judgement; 3]) -> Outcome {
    match property {
        Judgement::NotApplicable => Outcome::NotManifested,
        Judgement::No => Outcome::Missed,
        Judgement::Yes if others.iter().all(|&judgement| judgement == Judgement::Yes) => Outcome::Found,
        Judgement::Yes => Outcome::Wrong,
    }
}

/// The same finding in two truths of one program.
fn is_same(one: &Finding, other: &Finding) -> bool {
    one.view == other.view && one.property == other.property && one.call_path == other.call_path
}

fn shares<'a>(findings: impl IntoIterator<Item = &'a Finding>) -> Shares {
    let mut shares = Shares::default();
    for finding in findings {
        shares.add(&finding.locations);
    }
    shares
}
