//! Findings that answer no expectation: false alarms, the harness's, or the machine's noise.

use ats_documents::Finding;

use super::claims::is_accepted;
use super::{Case, Rules, place};

/// Findings that answer no expectation; those below the threshold neither hurt nor help and are left out.
#[derive(Debug, Default)]
pub(super) struct Unplanned {
    /// False alarms.
    pub(super) unexpected: Vec<Finding>,
    /// Findings of the harness, or outside the measured part, marked if their amount is not known; and blocked time
    /// that belongs to no wait state, under a name that may stand for it.
    pub(super) ambient: Vec<Finding>,
    /// Not planted, but the run's witness confirms it.
    pub(super) noise: Vec<Finding>,
}

pub(super) fn sort(unclaimed: &[&Finding], case: &Case<'_>, threshold: f64, rules: &Rules) -> Unplanned {
    let severity = |seconds: f64| case.observed.basis.severity(seconds);
    let mut sorted = Unplanned::default();
    for &finding in unclaimed.iter().filter(|finding| severity(finding.waiting_time) >= threshold) {
        let list = match ambient(finding, case, rules) {
            Ambient::InAnyAmount => {
                sorted.ambient.push(Finding { any_amount: true, ..finding.clone() });
                continue;
            }
            Ambient::Known(known) if is_confirmed(finding, known, case, threshold, rules) => {
                &mut sorted.ambient
            }
            Ambient::No if is_confirmed(finding, &case.observed.findings, case, threshold, rules) => {
                &mut sorted.noise
            }
            Ambient::Known(_) | Ambient::No => &mut sorted.unexpected,
        };
        list.push(finding.clone());
    }
    sorted
}

/// Whether a finding is known without being asked for, and its amount.
enum Ambient<'a> {
    No,
    /// In one of these amounts.
    Known(&'a [Finding]),
    /// The amount is not known.
    InAnyAmount,
}

/// Classifies a finding: the truth that a run showed goes before the one that its parameters promise. Outside the
/// measured part, only a truth of the whole program knows amounts, or what there is at all.
fn ambient<'a>(finding: &Finding, case: &Case<'a>, rules: &Rules) -> Ambient<'a> {
    for truth in [case.observed, case.nominal] {
        let mut known = truth.ambient.iter().filter(|known| explains(known, finding)).peekable();
        if known.peek().is_some() {
            let is_known = known.all(|known| !known.any_amount && (rules.whole || known.is_measured()));
            return if is_known { Ambient::Known(&truth.ambient) } else { Ambient::InAnyAmount };
        }
    }
    if case.observed.findings.iter().any(|known| known.blocked().is_some() && explains(known, finding)) {
        return Ambient::Known(&case.observed.findings);
    }
    if finding.is_measured() || rules.whole { Ambient::No } else { Ambient::InAnyAmount }
}

/// Whether one of these has what was reported: all of it but what would not be an alarm by itself.
fn is_confirmed(
    finding: &Finding,
    known: &[Finding],
    case: &Case<'_>,
    threshold: f64,
    rules: &Rules,
) -> bool {
    known.iter().filter(|known| explains(known, finding)).any(|known| {
        let seconds = known.blocked().unwrap_or(known.waiting_time);
        case.observed.basis.severity(finding.waiting_time - seconds) < threshold
            || rules.tolerance_for(known).agrees(seconds, finding.waiting_time)
    })
}

fn explains(known: &Finding, reported: &Finding) -> bool {
    known.view == reported.view
        && (known.property == reported.property || is_accepted(known, reported))
        && (reported.call_path.is_empty()
            || place::is_at(&known.call_path, &reported.call_path)
            || place::is_beside(&known.call_path, &reported.call_path))
}
