//! Judgements that several tests share.

use ats_documents::score::{Expectation, Outcome, ProgramResult};
use ats_props::{Catalogue, Counter, What};

/// Whether a program has passed in what a trace has. One without metrics has no counter of the program's own or of the
/// hardware.
pub(crate) fn has_passed(result: &ProgramResult, threshold: f64) -> bool {
    let program = Catalogue::builtin().program(&result.program).unwrap();
    let counters: Vec<&str> = program
        .property
        .finds
        .numbers()
        .map(|shown| shown.what)
        .filter(is_counter)
        .map(What::metric)
        .collect();
    let is_untold = |one: &Expectation| {
        one.outcome == Outcome::Unsupported
            && one.metric.as_deref().is_some_and(|metric| counters.contains(&metric))
    };
    let mut told = result.clone();
    told.expectations.retain(|one| !is_untold(one));
    told.has_passed(threshold)
}

fn is_counter(what: &What) -> bool {
    matches!(what, What::Count(Counter::Witness(_) | Counter::Hardware { .. }, _))
}
