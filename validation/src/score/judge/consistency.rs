//! Judges a wait state by a profile, which names none: the time that it shows has to be where the wait is, and to hold it.

use ats_documents::Finding;
use ats_documents::finding::{LocationShare, View};
use ats_documents::score::{Expectation, Judgement, Outcome, Severities};

use super::shares::Shares;
use super::{Case, Rules, expectation, place, unjudged};

/// Place, locations and amount are judged, the wait state is not asked for. More time than the wait takes is no fault:
/// a call does more than waiting.
pub(super) fn judge(expected: &Finding, case: &Case<'_>, rules: &Rules) -> Expectation {
    let observed = expectation::observed(expected, case);
    if expected.view == View::Idle {
        // A thread that has nothing to do is in no call.
        let severity = Severities { nominal: expected.severity, observed: observed.severity, found: 0.0 };
        let unsupported = unjudged(expected, Outcome::Unsupported);
        return Expectation { observed: observed.seconds, severity, ..unsupported };
    }
    let manifest = expectation::is_manifest(expected, &observed, rules);
    let tolerance = rules.tolerance_for(observed.finding.unwrap_or(expected));
    let noise = rules.noise_of_a_share(observed.finding.unwrap_or(expected));
    let waiting = if manifest { observed.shares.waiting(noise) } else { Vec::new() };

    let shown = shown(expected, case);
    let is_there = shown.total() > 0.0;
    // A profile may show processes alone, and knows nothing of threads that changed places.
    let comparable: fn(&Shares) -> Shares = match (expected.exchangeable, shown.has_threads()) {
        (_, false) => Shares::by_process,
        (true, true) => Shares::exchanged,
        (false, true) => Shares::clone,
    };
    // What the machine adds elsewhere is too little to be told from the rest of the call.
    let planned = comparable(&expectation::shares([expected]));
    let (wanted, shown) = (comparable(&observed.shares).planned_in(&planned), comparable(&shown));
    let holds = |judged: bool, holds: bool| {
        if judged { Judgement::from_bool(holds) } else { Judgement::NotApplicable }
    };
    let per_location = tolerance.absolute / waiting.len().max(1) as f64;
    let place = holds(manifest, is_there);
    let least = |seconds: f64| seconds * (1.0 - tolerance.relative);
    // A truth may not say who waits.
    let who_is_known = wanted.total() > 0.0;
    let found = if who_is_known { wanted.at_the_same_locations(&shown, noise) } else { shown.total() };
    let locations =
        holds(manifest && is_there && who_is_known, wanted.fits_into(&shown, noise, |share| share / 2.0));
    let fits = match who_is_known {
        true => wanted.fits_into(&shown, noise, |share| least(share) - per_location),
        false => found >= least(observed.seconds) - tolerance.absolute,
    };
    let amount = holds(manifest && is_there, fits);
    let outcome = match (place, locations, amount) {
        (Judgement::NotApplicable, ..) => expectation::not_manifest(expected, &observed),
        _ if [place, locations, amount].contains(&Judgement::No) => Outcome::Inconsistent,
        _ => Outcome::Consistent,
    };
    Expectation {
        waiting: if manifest { waiting } else { unjudged(expected, outcome).waiting },
        place,
        locations,
        amount,
        observed: observed.seconds,
        found,
        severity: Severities {
            nominal: expected.severity,
            observed: observed.severity,
            found: case.observed.basis.severity(found),
        },
        ..unjudged(expected, outcome)
    }
}

/// The time of the calls at the place of what is expected; where there are none, of those beside it.
fn shown(expected: &Finding, case: &Case<'_>) -> Shares {
    let at = |is_there: fn(&[String], &[String]) -> bool| {
        let mut shown = Shares::default();
        let there = case.report.calls.iter().filter(|call| is_there(&expected.call_path, &call.call_path));
        there.for_each(|call| shown.add(&call.locations.iter().map(share).collect::<Vec<_>>()));
        shown
    };
    let exactly = at(place::is_exactly_at);
    if exactly.total() > 0.0 { exactly } else { at(place::is_beside) }
}

fn share(call: &ats_documents::report::CallShare) -> LocationShare {
    LocationShare { rank: call.rank, thread: call.thread, waiting_time: call.inclusive_time }
}
