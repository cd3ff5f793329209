//! The distribution of work: whether another one would change what others wait for.

use crate::explanation::case::Case;

/// The least part of a case's seconds that the totals of the run explain if the same locations are late each time.
///
/// A location that is always late explains all of them, and four that are late in turn at random about a sixth in 60
/// steps, the less the more steps there are. A lower value advises to share work that is even already, and a higher one
/// keeps silent where a location with more work is late in most steps only.
const EACH_TIME: f64 = 0.5;

/// Whether the culprit works longer than those that wait, over the whole run: only then another distribution of the work
/// helps.
pub(in crate::explanation) fn is_uneven(case: &Case<'_>) -> bool {
    if case.path.is_none() {
        return false;
    }
    let time = case.time();
    let culprits = case.main_units();
    let of = |unit: u32| time[unit as usize];
    let most = culprits.into_iter().map(of).fold(0.0, f64::max);
    let more: f64 = case.waiting().into_iter().map(|unit| most - of(unit)).filter(|more| *more > 0.0).sum();
    more >= EACH_TIME * case.seconds()
}

/// Sentence on a distribution that is even.
pub(super) const IS_EVEN: &str = "Over the run, all spend about as long there: the work varies from step to step, and another \
                                  distribution of it does not help.";
