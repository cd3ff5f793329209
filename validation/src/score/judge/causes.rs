//! The judgement of root causes, by metric: the costs of each call path to others, the waits that others explain or that
//! others suffer from, and the critical path.

use std::collections::BTreeMap;

use ats_documents::finding::{LocationShare, MEASURED_REGION, View};
use ats_documents::score::Expectation;
use ats_documents::{Basis, Causes, Finding, Truth};
use ats_model::delay::CRITICAL_PATH;
use ats_model::place;
use ats_work::WORKING_FUNCTIONS;

use super::claims::{self, Claim, Claims};
use super::metrics::metrics;
use super::{Case, Rules, expectation};

/// The expectations of causes, and the causes that were reported although nothing waits for them.
#[derive(Debug, Default)]
pub(super) struct Judged {
    pub(super) expectations: Vec<Expectation>,
    pub(super) unexpected: Vec<Finding>,
}

/// Whether a report has the causes of other waits than the run: those of Scalasca instead of all, whose values differ.
pub(super) fn are_of_other_waits(case: &Case<'_>) -> bool {
    let reported = case.report.causes.as_ref().zip(case.observed.causes.as_ref());
    reported.is_some_and(|(reported, observed)| reported.extent != observed.extent)
}

/// Judges the causes, if the truth has them by the definitions of the report.
///
/// Each metric is judged by itself, so that a cost never answers for another kind of wait. The critical path is judged
/// after all others, in programs with waits that have causes.
pub(super) fn judge(case: &Case<'_>, rules: &Rules) -> Judged {
    let mut judged = Judged::default();
    let (Some(nominal), Some(observed)) = (&case.nominal.causes, &case.observed.causes) else {
        return judged;
    };
    if are_of_other_waits(case) {
        return judged;
    }
    let mut truth = Truth { causes: None, findings: Vec::new(), ..case.observed.clone() };
    for metric in metrics() {
        // Every program has one; where nothing is caused, nothing is to be found.
        if metric == CRITICAL_PATH && judged.expectations.is_empty() {
            continue;
        }
        let counts = |finding: &Finding| {
            finding.is_measured() && finding.waiting_time > rules.tolerance_for(finding).absolute
        };
        let mut nominal = findings(nominal, metric, &case.nominal.basis);
        nominal.retain(counts);
        let observed = findings(observed, metric, &case.observed.basis);
        let reported = case.report.causes.as_ref();
        let mut reported =
            reported.map_or_else(Vec::new, |causes| findings(causes, metric, &case.observed.basis));
        reported.retain(counts);
        let expected: Vec<&Finding> = nominal.iter().collect();
        let (known, unplanned) = at_their_places(&expected, &observed, &case.observed.basis);
        truth.findings = known;
        let case = Case { observed: &truth, ..*case };
        let Claims { claims, unclaimed } =
            claims::assign(&expected, &reported.iter().collect::<Vec<&Finding>>());
        judged.expectations.extend(expected.iter().zip(&claims).map(|(expected, claim)| Expectation {
            metric: Some(metric.to_owned()),
            planted: false,
            ..expectation::judge(expected, claim, &case, rules)
        }));
        let is_alarm = |finding: &&&Finding| {
            let is_known = |known: &Finding| place::is_at(&known.call_path, &finding.call_path);
            finding.severity >= rules.threshold && !unplanned.iter().any(is_known)
        };
        judged.unexpected.extend(unclaimed.iter().filter(is_alarm).map(|&finding| finding.clone()));
    }
    judged
}

/// The observed costs at the places where they are expected, and those at other places.
fn at_their_places(
    expected: &[&Finding],
    observed: &[Finding],
    basis: &Basis,
) -> (Vec<Finding>, Vec<Finding>) {
    let Claims { claims, unclaimed } = claims::assign(expected, &observed.iter().collect::<Vec<&Finding>>());
    let mut others: Vec<Finding> = unclaimed.into_iter().cloned().collect();
    let mut known = Vec::new();
    for (expected, claim) in expected.iter().zip(claims) {
        match claim {
            Claim::Right(found) => {
                let shares = found.iter().flat_map(|finding| finding.locations.iter().copied());
                known.push(cost(expected.kind(), expected.call_path.clone(), shares.collect(), basis));
            }
            other => others.extend(other.findings().into_iter().cloned()),
        }
    }
    (known, others)
}

/// The values of a metric as findings, one for each call path; the measured region is left out of that, as in findings,
/// and so is time outside all other regions. What the functions that work cost, which only some tools see, is a cost of
/// their callers.
fn findings(causes: &Causes, metric: &str, basis: &Basis) -> Vec<Finding> {
    let mut by_path: BTreeMap<Vec<String>, BTreeMap<(u32, u32), f64>> = BTreeMap::new();
    for &(path, unit, seconds) in causes.metrics.get(metric).into_iter().flatten() {
        let path = causes.call_paths.get(path as usize);
        let Some((path, unit)) = path.zip(causes.units.get(unit as usize)) else { continue };
        let is_work = |region: &&String| WORKING_FUNCTIONS.contains(&place::plain(region).as_str());
        let inside = path.len() - path.iter().rev().take_while(is_work).count();
        let regions = path[..inside].iter().filter(|region| *region != MEASURED_REGION);
        let path: Vec<String> = regions.cloned().collect();
        // A finding without a place would answer for every place.
        if path.is_empty() {
            continue;
        }
        *by_path.entry(path).or_default().entry((unit.rank, unit.thread)).or_default() += seconds;
    }
    let share = |((rank, thread), waiting_time)| LocationShare { rank, thread, waiting_time };
    let cost = |(path, shares): (_, BTreeMap<_, _>)| {
        cost(metric, path, shares.into_iter().map(share).collect(), basis)
    };
    by_path.into_iter().map(cost).collect()
}

fn cost(metric: &str, call_path: Vec<String>, shares: Vec<LocationShare>, basis: &Basis) -> Finding {
    let finding = Finding::wait(None, call_path, shares, 1, basis, true);
    Finding {
        id: format!("{metric}@{}", finding.call_path.join("/")),
        view: View::Delay,
        metric: Some(metric.to_owned()),
        ..finding
    }
}
