//! Judgements that several tests share.

use ats_documents::score::{Expectation, Outcome, ProgramResult};
use ats_props::{Catalogue, Counter, Shown, TASK_CLOCK, What};

/// Whether a program has passed in what a trace has. One without metrics has no counter of the program's own or of the
/// hardware; one of an ideal machine has no time of its own for calls.
pub(crate) fn has_passed(result: &ProgramResult, threshold: f64) -> bool {
    let program = Catalogue::builtin().program(&result.program).unwrap();
    let counters: Vec<&str> = program
        .property
        .finds
        .numbers()
        .filter(|shown| is_counter(&shown.what) || is_of_real_runs(shown))
        .map(|shown| shown.what.metric())
        .collect();
    let is_untold = |one: &Expectation| {
        one.outcome == Outcome::Unsupported
            && one.metric.as_deref().is_some_and(|metric| counters.contains(&metric))
    };
    let mut told = result.clone();
    told.expectations.retain(|one| !is_untold(one));
    told.has_passed(threshold)
}

fn is_of_real_runs(shown: &Shown) -> bool {
    match shown.what {
        What::Time(_) => shown.total.is_none(),
        What::Ratio { over, .. } => over == TASK_CLOCK,
        _ => false,
    }
}

fn is_counter(what: &What) -> bool {
    matches!(what, What::Count(Counter::Witness(_) | Counter::Hardware { .. }, _))
}
