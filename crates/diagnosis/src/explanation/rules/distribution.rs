//! The distribution of work: whether another one would change what others wait for.

use std::collections::HashSet;

use ats_documents::Finding;

use crate::explanation::case::Case;
use crate::explanation::facts::{Facts, Place};
use crate::explanation::key::{begin_of_segment, end_of_segment};

/// The least part of a case's seconds that the totals of the run explain if the same locations are late each time.
///
/// A location that is always late explains all of them, and four that are late in turn at random about a sixth in 60
/// steps, the less the more steps there are. A lower value advises to share work that is even already, and a higher one
/// keeps silent where a location with more work is late in most steps only.
const EACH_TIME: f64 = 0.5;

/// Whether the culprit works longer than those that wait, over the whole run: only then another distribution of the work
/// helps.
pub(in crate::explanation) fn is_uneven(case: &Case<'_>) -> bool {
    case.path.is_some() && is_uneven_in(case, &case.time())
}

/// The same for all code next to the late calls and those of `waits`. The first of a chain receives nothing, and the last
/// sends nothing: their work is in other segments than that of those between them.
pub(super) fn is_uneven_around<'a>(case: &Case<'a>, waits: impl Iterator<Item = &'a Finding>) -> bool {
    let facts = case.facts;
    if !case.path.is_some_and(|path| facts.is_segment(path)) {
        return is_uneven(case);
    }
    let late = case.paths.iter().filter_map(|path| path.names.last()).map(|name| end_of_segment(name));
    let waiting: Vec<String> =
        waits.filter_map(|finding| Some(finding.call_site.as_ref()?.place())).collect();
    let calls: HashSet<&str> = late.chain(waiting.iter().map(String::as_str)).collect();
    let is_next = |name: &String| {
        calls.contains(end_of_segment(name))
            || begin_of_segment(name).is_some_and(|call| calls.contains(call))
    };
    let segments =
        facts.paths().filter(|&path| facts.is_segment(path) && path.names.last().is_some_and(is_next));
    let segments: Vec<Place<'_>> = segments.collect();
    is_uneven_in(case, &facts.summed(&segments, Facts::time))
}

/// Whether the culprit has more of the `time` of all units than those that wait.
fn is_uneven_in(case: &Case<'_>, time: &[f64]) -> bool {
    let culprits = case.main_units();
    let of = |unit: u32| time[unit as usize];
    let most = culprits.into_iter().map(of).fold(0.0, f64::max);
    let more: f64 = case.waiting().into_iter().map(|unit| most - of(unit)).filter(|more| *more > 0.0).sum();
    more >= EACH_TIME * case.seconds()
}

/// Sentence on a distribution that is even.
pub(super) const IS_EVEN: &str = "Over the run, all spend about as long there: the work varies from step to step, and another \
                                  distribution of it does not help.";
