//! Judges what is no waiting: how often a call was entered, how many bytes it moved, what else is counted there, the time
//! in a region, or a ratio of two times. It is one number over the whole basis, wherever that is.

use ats_documents::finding::{Unit, is_harness};
use ats_documents::score::{Expectation, Judgement, Outcome};
use ats_documents::{Finding, Report, Truth};
use ats_launch::tool::CallPaths;
use ats_model::View;
use ats_model::machine_counter::MachineCounter;
use ats_model::mpi::Function;
use ats_model::openmp::Construct;

use super::{Case, Rules, place, unjudged};

/// The run has to do what the parameters say, and the tool to report that: exactly of what is counted, within the
/// tolerance of times and ratios. A run has shown a time if it has any, and at least half of it, and a ratio from
/// its bound on.
pub(super) fn judge(expected: &Finding, case: &Case<'_>, rules: &Rules) -> Expectation {
    let shown = shown(expected, case.observed);
    let observed = observed(expected, shown, case.observed);
    let reported = if is_unseen(expected, case) { None } else { reported(expected, case.report) };
    let Some(found) = reported else {
        return Expectation { observed, ..unjudged(expected, Outcome::Unsupported) };
    };
    let tolerance = rules.tolerance_for(shown.unwrap_or(expected));
    let nominal = expected.quantity().value;
    let is_shown = match expected.unit() {
        Unit::Ratio(_) => observed >= expected.at_least.unwrap_or(nominal),
        Unit::Inclusive(_) => observed > 0.0 && observed >= nominal / 2.0,
        _ => tolerance.agrees(nominal, observed),
    };
    // A call that takes time on a real machine takes none on an ideal one.
    let is_of_real_runs = matches!(expected.unit(), Unit::Inclusive(_)) && nominal == 0.0 && observed == 0.0;
    if is_of_real_runs || found == 0.0 && why_untold(expected, case, rules).is_some() {
        return Expectation { observed, ..unjudged(expected, Outcome::Unsupported) };
    }
    let (outcome, property, amount) = match found {
        _ if !is_shown => (Outcome::NotManifested, Judgement::NotApplicable, Judgement::NotApplicable),
        0.0 => (Outcome::Missed, Judgement::No, Judgement::NotApplicable),
        _ if tolerance.agrees(observed, found) => (Outcome::Found, Judgement::Yes, Judgement::Yes),
        _ => (Outcome::Wrong, Judgement::Yes, Judgement::No),
    };
    Expectation { property, amount, observed, found, ..unjudged(expected, outcome) }
}

/// The reason for a tool not to know of a construct; `None` where the runtime told it.
///
/// The observed truth of a program in C or Fortran has no count of it; a run without a witness may be that of one.
pub(super) fn why_untold(expected: &Finding, case: &Case<'_>, rules: &Rules) -> Option<String> {
    let region = expected.call_path.last()?;
    let is_told = Construct::of_region(region).is_none_or(Construct::is_told_by_compilers);
    let may_be_in_c = !case.observed.counts.contains_key(region) || case.observed == case.nominal;
    if is_told || rules.whole || expected.unit() != Unit::Visits || !may_be_in_c {
        return None;
    }
    Some(format!(
        "{region} is not asked for: compilers of C and Fortran, clang and gcc among them, make an instruction of it and \
         tell the OpenMP runtime nothing"
    ))
}

/// Whether something is counted in a region of the program, where the tool shows none. What it counts in a function of the same
/// name is something else.
fn is_unseen(expected: &Finding, case: &Case<'_>) -> bool {
    let is_call =
        |frame: &String| Function::of_spelling(frame).is_some() || Construct::of_region(frame).is_some();
    let is_in_region = expected.call_path.last().is_some_and(|frame| !is_call(frame));
    let is_counted = matches!(expected.unit(), Unit::Count(_) | Unit::Bytes(_));
    case.call_paths == CallPaths::None && is_counted && is_in_region
}

/// The reason for a tool not to know what is counted in a region; `None` if it may know it.
pub(super) fn why_unseen(expected: &Finding, case: &Case<'_>) -> Option<String> {
    let (region, metric) = (expected.call_path.last()?, expected.unit().metric()?);
    is_unseen(expected, case)
        .then(|| format!("{metric} of {region} is not asked for: the tool shows no regions of the program"))
}

/// The same finding in the truth that the run showed.
fn shown<'a>(expected: &Finding, truth: &'a Truth) -> Option<&'a Finding> {
    let is_it =
        |finding: &&Finding| finding.unit() == expected.unit() && finding.call_path == expected.call_path;
    truth.findings.iter().find(is_it)
}

/// The amount that the run showed.
fn observed(expected: &Finding, shown: Option<&Finding>, truth: &Truth) -> f64 {
    if expected.unit() == Unit::Visits {
        let region = expected.call_path.last().map_or("", String::as_str);
        return truth.counts.get(region).map_or(0.0, |count| count.calls as f64);
    }
    shown.map_or(0.0, |finding| finding.quantity().value)
}

/// The amount in the report: at the call itself, or at all its call paths, and all of it where the whole program is asked for;
/// `None` if the report has nothing of the kind.
fn reported(expected: &Finding, report: &Report) -> Option<f64> {
    let region = expected.call_path.last().map_or("", String::as_str);
    let unit = expected.unit();
    let mut alike = counted_alike(unit, report);
    if matches!(unit, Unit::Ratio(_)) {
        // Each ratio is one by itself: others say nothing of it.
        alike.retain(|finding| is_at(region, &finding.call_path));
    }
    if alike.is_empty() {
        return match unit {
            Unit::Visits => visited(report, region),
            Unit::Inclusive(_) => seconds(report, region),
            Unit::Ratio(_) => {
                let ratio = seconds(report, region)? / seconds(report, expected.over.as_deref()?)?;
                ratio.is_finite().then_some(ratio)
            }
            _ => None,
        };
    }
    let is_whole = expected.call_path.is_empty();
    let there = alike.iter().filter(|finding| is_whole || is_at(region, &finding.call_path));
    let amounts = there.map(|finding| finding.quantity().value);
    Some(match unit {
        // There is no sum of ratios.
        Unit::Ratio(_) => amounts.fold(0.0, f64::max),
        _ => amounts.sum::<f64>() + 0.0,
    })
}

/// The findings of a unit. A counter of the machine that the report does not have by this name it may have by another one.
fn counted_alike<'a>(unit: Unit<'_>, report: &'a Report) -> Vec<&'a Finding> {
    fn unit_of(name: &str) -> Unit<'_> {
        View::Count.unit(Some(name))
    }
    let is_there = |name: &str| report.findings.iter().any(|finding| finding.unit() == unit_of(name));
    let name = unit.metric().filter(|_| matches!(unit, Unit::Count(_) | Unit::Bytes(_)));
    let unit = name.and_then(|name| MachineCounter::name_among(name, is_there)).map_or(unit, unit_of);
    report.findings.iter().filter(|finding| finding.unit() == unit).collect()
}

/// Whether a call path of the program ends in a region.
fn is_at(region: &str, path: &[String]) -> bool {
    !is_harness(path) && path.last().is_some_and(|frame| place::is_call(region, frame))
}

/// Seconds in a region in a profile, on the locations that entered it; `None` if the profile has no times.
fn seconds(report: &Report, region: &str) -> Option<f64> {
    // Of a region inside itself, the outermost has all of its time.
    let is_outermost =
        |path: &[String]| path.iter().filter(|frame| place::is_call(region, frame)).count() == 1;
    let calls =
        report.calls.iter().filter(|call| is_at(region, &call.call_path) && is_outermost(&call.call_path));
    let shares = calls.flat_map(|call| &call.locations).filter(|share| share.visits != Some(0));
    let seconds = shares.map(|share| share.inclusive_time).sum::<f64>() + 0.0;
    (!report.calls.is_empty()).then_some(seconds)
}

/// The number of entries into a region in a profile; `None` if it counts none.
fn visited(report: &Report, region: &str) -> Option<f64> {
    let mut visited = report
        .calls
        .iter()
        .flat_map(|call| call.locations.iter().filter_map(move |at| Some((call, at.visits?))))
        .peekable();
    visited.peek()?;
    let there = visited.filter(|(call, _)| is_at(region, &call.call_path));
    let (again, once): (Vec<_>, Vec<_>) = there.partition(|(call, _)| is_of_task_root(&call.call_path));
    let sum = |visits: &[(_, u64)]| visits.iter().map(|(_, visits)| visits).sum::<u64>() as f64;
    Some(if once.is_empty() { sum(&again) } else { sum(&once) })
}

/// Whether a path is that of a task below Score-P's artificial root of all tasks. Each is also where it was begun, and
/// only there it can be told whether that was measured.
fn is_of_task_root(path: &[String]) -> bool {
    matches!(path, [.., root, _] if root == "TASKS")
}
