//! The calls that were not analyzed, though they may hide waits.

use ats_documents::{Basis, analysis::NotAnalyzed};
use ats_model::{
    Definitions,
    mpi::{Function, Kind, Unanalyzed, Waiting},
};

use crate::{
    answer::counts,
    scan::{CallTime, Scan},
    words::regions::Regions,
};

/// Calls in the basis with unknown causes of waits, over all locations, by falling time; empty if they take no time.
pub(crate) fn calls(
    definitions: &Definitions,
    regions: &Regions,
    scans: &[Scan],
    basis: &Basis,
) -> Vec<NotAnalyzed> {
    let by_name = counts::by_name(definitions, regions, scans, basis, |scan| &scan.unfollowed);
    if by_name.values().all(|time| time.ticks == 0) {
        return Vec::new();
    }
    let calls = |(function, CallTime { calls, ticks }): (String, CallTime)| {
        let seconds = definitions.clock.seconds(ticks);
        Some(NotAnalyzed { what: what(&function)?, function, calls, seconds })
    };
    let mut all: Vec<NotAnalyzed> = by_name.into_iter().filter_map(calls).collect();
    // Those of as much time stay in the order of their names.
    all.sort_by(|a, b| b.seconds.total_cmp(&a.seconds));
    all
}

/// Kind of the calls of a function that are not analyzed.
fn what(name: &str) -> Option<Unanalyzed> {
    let function = Function::of_spelling(name)?;
    Some(match (function.waiting(), function.kind()) {
        (Waiting::NotAnalyzed(what), _) => what,
        (_, Kind::Communicator(_)) => Unanalyzed::Communicators,
        (_, Kind::Completion { .. }) => Unanalyzed::Completions,
        (_, Kind::Collective(_)) if function.yields_request() => Unanalyzed::NonBlockingCollectives,
        _ if Function::has_large_counts(name) => Unanalyzed::LargeCounts,
        _ => Unanalyzed::BetweenGroups,
    })
}
