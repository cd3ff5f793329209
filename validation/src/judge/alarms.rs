//! What was reported and not asked for: false alarm, harness, or the machine's noise.

use ats_model::Finding;

use super::{Case, Rules, is_measured, place};

/// Findings that answer no expectation; those below the threshold neither hurt nor help and are left out.
#[derive(Debug, Default)]
pub(super) struct Unplanned {
    /// False alarms.
    pub(super) unexpected: Vec<Finding>,
    /// The harness's, or outside the measured part.
    pub(super) ambient: Vec<Finding>,
    /// Not planted, but the run's witness confirms it.
    pub(super) noise: Vec<Finding>,
}

pub(super) fn sort(unclaimed: &[&Finding], case: &Case<'_>, threshold: f64, rules: &Rules) -> Unplanned {
    let severity = |seconds: f64| case.observed.basis.severity(seconds);
    let mut sorted = Unplanned::default();
    for &finding in unclaimed.iter().filter(|finding| severity(finding.waiting_time) >= threshold) {
        let list =
            if !is_measured(finding) || case.nominal.ambient.iter().any(|known| explains(known, finding)) {
                &mut sorted.ambient
            } else if is_confirmed(finding, case, threshold, rules) {
                &mut sorted.noise
            } else {
                &mut sorted.unexpected
            };
        list.push(finding.clone());
    }
    sorted
}

/// Whether the observed truth has what was reported: all of it but what would not be an alarm by itself.
fn is_confirmed(finding: &Finding, case: &Case<'_>, threshold: f64, rules: &Rules) -> bool {
    case.observed.findings.iter().filter(|known| explains(known, finding)).any(|known| {
        let excess = finding.waiting_time - known.waiting_time;
        case.observed.basis.severity(excess) < threshold
            || rules.tolerance_for(known).agrees(known.waiting_time, finding.waiting_time)
    })
}

fn explains(known: &Finding, reported: &Finding) -> bool {
    known.view == reported.view
        && known.property == reported.property
        && (reported.call_path.is_empty() || place::is_at(&known.call_path, &reported.call_path))
}
