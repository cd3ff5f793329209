//! The judgement of an explanation: for each planted wait its cause, the seconds of that, the region that is named for it,
//! and the culprits.
//!
//! Region and culprits are those of the truth's root causes. Waits that nobody planned are false alarms already.

use std::collections::{BTreeMap, BTreeSet};

use ats_documents::explanation::{CauseKind, Culprit, Effect, Problem};
use ats_documents::finding::{MEASURED_REGION, View};
use ats_documents::score::{Expectation, Judgement, Outcome};
use ats_documents::{Causes, Explanation, Finding};
use ats_model::delay::Delay;
use ats_model::locations::Location;
use ats_model::place;
use ats_work::WORKING_FUNCTIONS;

use super::metrics::is_cost;
use super::{Case, Rules, expectation, is_judged, unjudged};

/// The part of the seconds that its region, and each culprit in it, has to cost according to the truth.
const MOSTLY: f64 = 0.9;

/// The part of a cause's seconds that an explanation may have too many or too few, and that may have other regions and
/// culprits. On a real machine, noise makes other locations late now and then, and what they cost is of problems of their
/// own. A lower value fails right explanations of noisy runs, a higher one lets a part of the wait have a wrong cause.
const TOLERANCE: f64 = 0.05;

/// Judges the explanation of a run: an expectation for each cause of a wait that the truth knows.
pub fn judge_explanation(explanation: &Explanation, case: &Case<'_>, rules: &Rules) -> Vec<Expectation> {
    let expected = case.nominal.findings.iter().filter(|finding| is_judged(finding));
    let of_causes = |expected: &Finding| {
        let answers = answers(expected, explanation, case);
        let causes = expected.explained_by.iter();
        causes.map(|(&cause, &part)| judge_cause(expected, (cause, part), &answers, case, rules)).collect()
    };
    expected.flat_map::<Vec<_>, _>(of_causes).collect()
}

/// A problem, and the seconds that it has of a wait.
type Answer<'a> = (&'a Problem, f64);

/// Judges the problems of one of the causes of a wait, which has a part of its seconds.
fn judge_cause(
    expected: &Finding,
    (cause, part): (CauseKind, f64),
    answers: &[Answer<'_>],
    case: &Case<'_>,
    rules: &Rules,
) -> Expectation {
    let observed = expectation::observed(expected, case);
    let share = part / expected.waiting_time;
    let by = if expected.explained_by.len() > 1 { format!(" by {}", cause.name()) } else { String::new() };
    let mut judged = Expectation {
        id: format!("explanation of {}{by}", expected.id),
        view: View::Explanation,
        wait_state: None,
        metric: Some(cause.name().to_owned()),
        planted: false,
        nominal: part,
        observed: observed.seconds * share,
        ..unjudged(expected, Outcome::Missed)
    };
    judged.severity.nominal *= share;
    judged.severity.observed = observed.severity * share;
    judged.waiting = observed.shares.waiting(0.0);
    if !expectation::is_manifest(expected, &observed, rules) {
        judged.outcome = expectation::not_manifest(expected, &observed);
        return judged;
    }
    let right: Vec<&Answer<'_>> = answers.iter().filter(|(problem, _)| problem.cause() == cause).collect();
    judged.found = right.iter().map(|(_, seconds)| seconds).sum();
    judged.severity.found = case.observed.basis.severity(judged.found);
    judged.property = Judgement::from_bool(!right.is_empty());
    if right.is_empty() {
        let others =
            answers.iter().filter(|(problem, _)| !expected.explained_by.contains_key(&problem.cause()));
        let most = others.max_by(|(_, one), (_, other)| one.total_cmp(other));
        judged.reported_as = most.map(|(problem, _)| problem.cause().name().to_owned());
        return judged;
    }
    judged.amount =
        Judgement::from_bool((judged.found - judged.observed).abs() <= TOLERANCE * judged.observed);
    let causes = case.observed.causes.as_ref().filter(|causes| knows(causes, expected));
    // The region of a wrong order is the call that waits.
    if let Some(causes) = causes.filter(|_| cause != CauseKind::WrongOrder) {
        let costs: Vec<_> = right.iter().map(|(problem, _)| costs(causes, problem)).collect();
        // Virtual time has no noise, so there every problem is to be right.
        let noise = if rules.whole { 0.0 } else { TOLERANCE * judged.found };
        let of = |is_right: fn(&Answer<'_>, &BTreeMap<Location, f64>) -> bool| {
            let wrong = right.iter().zip(&costs).filter(|(answer, costs)| !is_right(answer, costs));
            Judgement::from_bool(wrong.map(|((_, seconds), _)| seconds).sum::<f64>() <= noise)
        };
        judged.place = of(has_its_region);
        judged.locations = of(has_its_culprits);
    }
    let is_wrong = [judged.amount, judged.place, judged.locations].contains(&Judgement::No);
    judged.outcome = if is_wrong { Outcome::Wrong } else { Outcome::Found };
    judged
}

/// Whether the region of a problem costs what it has of a wait. Waits of another kind may have the same region: it costs this
/// and more.
fn has_its_region((_, seconds): &Answer<'_>, costs: &BTreeMap<Location, f64>) -> bool {
    costs.values().sum::<f64>() >= MOSTLY * seconds
}

/// Whether the culprits of a problem cost what it says of each.
fn has_its_culprits((problem, _): &Answer<'_>, costs: &BTreeMap<Location, f64>) -> bool {
    let known = |culprit: &Culprit| costs.get(&culprit.location).copied().unwrap_or_default();
    let right: f64 = problem.culprits.iter().map(|culprit| culprit.seconds.min(known(culprit))).sum();
    right >= MOSTLY * problem.seconds
}

/// The problems that have some of a wait. A call in a pattern is none of the same call beside it, so that of several waits
/// that may be meant, it is the one with the longest call path.
fn answers<'a>(expected: &Finding, explanation: &'a Explanation, case: &Case<'_>) -> Vec<Answer<'a>> {
    let is_of = |finding: &Finding, effect: &Effect| {
        Some(effect.property) == finding.property && place::is_at(&finding.call_path, &effect.call_path)
    };
    let is_other = |effect: &Effect| {
        let mut others = case.nominal.findings.iter().filter(|other| is_of(other, effect));
        others.any(|other| other.call_path.len() > expected.call_path.len())
    };
    let of_problem = |problem: &'a Problem| {
        let effects = problem.effects.iter().filter(|effect| is_of(expected, effect) && !is_other(effect));
        (problem, effects.map(|effect| effect.seconds).sum::<f64>())
    };
    explanation.problems.iter().map(of_problem).filter(|(_, seconds)| *seconds > 0.0).collect()
}

/// Whether root causes include those of a wait.
fn knows(causes: &Causes, wait: &Finding) -> bool {
    wait.property.and_then(Delay::from_wait_state).is_some_and(|delay| delay.extent() <= causes.extent)
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
