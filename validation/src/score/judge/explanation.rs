//! The judgement of an explanation: for each planted wait its cause, the region that is named for it, and the culprits.
//!
//! Region and culprits are those of the truth's root causes. Waits that nobody planned are false alarms already.

use std::collections::{BTreeMap, BTreeSet};

use ats_documents::explanation::{CauseKind, Culprit, Problem};
use ats_documents::finding::{MEASURED_REGION, View};
use ats_documents::score::{Expectation, Judgement, Outcome};
use ats_documents::{Causes, Explanation, Finding};
use ats_model::delay::Delay;
use ats_model::locations::Location;
use ats_model::place;
use ats_work::WORKING_FUNCTIONS;

use super::metrics::is_cost;
use super::{Case, Rules, expectation, is_judged, unjudged};

/// The fewest processes whose patterns of communication differ: with two, a master, a chain and a pair are the same.
const FEWEST: u32 = 4;

/// The part of the seconds that its region, and each culprit in it, has to cost according to the truth.
const MOSTLY: f64 = 0.9;

/// Judges the explanation of a run: an expectation for each wait whose causes the truth knows.
///
/// With two or three processes nothing is judged, as several causes are right.
pub fn judge_explanation(explanation: &Explanation, case: &Case<'_>, rules: &Rules) -> Vec<Expectation> {
    if (2..FEWEST).contains(&case.nominal.ranks) {
        return Vec::new();
    }
    let is_explained = |finding: &&Finding| is_judged(finding) && !finding.explained_by.is_empty();
    let expected = case.nominal.findings.iter().filter(is_explained);
    expected.map(|expected| judge_wait(expected, explanation, case, rules)).collect()
}

fn judge_wait(expected: &Finding, explanation: &Explanation, case: &Case<'_>, rules: &Rules) -> Expectation {
    let observed = expectation::observed(expected, case);
    let causes: Vec<&str> = expected.explained_by.iter().map(|cause| cause.name()).collect();
    let answer = answer(expected, explanation);
    let found = answer.map_or(0.0, |(_, seconds)| seconds);
    let mut judged = Expectation {
        id: format!("explanation of {}", expected.id),
        view: View::Explanation,
        wait_state: None,
        metric: Some(causes.join(" or ")),
        planted: false,
        observed: observed.seconds,
        ..unjudged(expected, Outcome::Missed)
    };
    judged.severity.observed = observed.severity;
    judged.waiting = observed.shares.waiting(0.0);
    if !expectation::is_manifest(expected, &observed, rules) {
        judged.outcome = expectation::not_manifest(expected, &observed);
        return judged;
    }
    judged.found = found;
    judged.severity.found = case.observed.basis.severity(found);
    judged.property = Judgement::No;
    let Some((problem, _)) = answer else { return judged };
    if !expected.explained_by.contains(&problem.cause()) {
        judged.reported_as = Some(problem.cause().name().to_owned());
        return judged;
    }
    judged.property = Judgement::Yes;
    let causes = case.observed.causes.as_ref().filter(|causes| knows(causes, expected));
    // The region of a wrong order is the call that waits.
    if let Some(causes) = causes.filter(|_| problem.cause() != CauseKind::WrongOrder) {
        let costs = costs(causes, problem);
        // Waits of another kind may have the same region: it costs this and more.
        let all: f64 = costs.values().sum();
        let known = |culprit: &Culprit| costs.get(&culprit.location).copied().unwrap_or_default();
        let right: f64 = problem.culprits.iter().map(|culprit| culprit.seconds.min(known(culprit))).sum();
        judged.place = Judgement::of(all >= MOSTLY * found);
        judged.locations = Judgement::of(right >= MOSTLY * problem.seconds);
    }
    let is_wrong = [judged.place, judged.locations].contains(&Judgement::No);
    judged.outcome = if is_wrong { Outcome::Wrong } else { Outcome::Found };
    judged
}

/// The problem that has the most of a wait, and the seconds of that.
fn answer<'a>(expected: &Finding, explanation: &'a Explanation) -> Option<(&'a Problem, f64)> {
    let of_problem = |problem: &'a Problem| {
        let effects = problem.effects.iter().filter(|effect| {
            Some(effect.property) == expected.property && place::is_at(&expected.call_path, &effect.call_path)
        });
        (problem, effects.map(|effect| effect.seconds).sum::<f64>())
    };
    let answers = explanation.problems.iter().map(of_problem).filter(|(_, seconds)| *seconds > 0.0);
    answers.max_by(|(_, one), (_, other)| one.total_cmp(other))
}

/// Whether root causes include those of a wait.
fn knows(causes: &Causes, wait: &Finding) -> bool {
    wait.property.and_then(Delay::of).is_some_and(|delay| delay.extent() <= causes.extent)
}

/// The costs of a problem's region, on all call paths to it, by location.
fn costs(causes: &Causes, problem: &Problem) -> BTreeMap<Location, f64> {
    let paths = problem.other_call_paths.iter().chain([&problem.call_path]);
    let late: BTreeSet<Vec<String>> = paths.map(|path| regions(path)).collect();
    let mut costs = BTreeMap::new();
    for (_, values) in causes.metrics.iter().filter(|(metric, _)| is_cost(metric)) {
        for &(path, unit, seconds) in values {
            if late.contains(&regions(&causes.call_paths[path as usize])) {
                let unit = &causes.units[unit as usize];
                *costs.entry(Location { rank: unit.rank, thread: unit.thread }).or_default() += seconds;
            }
        }
    }
    costs
}

/// A call path without the measured region and without the functions that work, which only some tools see.
fn regions(call_path: &[String]) -> Vec<String> {
    let is_work = |region: &&String| WORKING_FUNCTIONS.contains(&place::plain(region).as_str());
    let inside = call_path.len() - call_path.iter().rev().take_while(is_work).count();
    call_path[..inside]
        .iter()
        .filter(|region| *region != MEASURED_REGION)
        .map(|region| place::plain(region))
        .collect()
}
