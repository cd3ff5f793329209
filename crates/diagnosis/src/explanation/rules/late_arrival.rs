//! A location reaches an operation of all locations last: Kappa-PI's problem at a barrier.

use std::collections::BTreeMap;

use ats_documents::explanation::CauseKind;
use rustc_hash::FxHashMap;

use super::uneven_work::longer;
use crate::explanation::case::Case;
use crate::explanation::fit::Fit;
use crate::explanation::mechanism::Mechanism;
use crate::explanation::wording::{percent, subject};

/// Fits waits at operations that all locations meet in.
pub(super) fn rule(case: &Case<'_>) -> Option<Fit> {
    if case.mechanism != Mechanism::Meeting || case.units.is_empty() {
        return None;
    }
    let mut evidence = last(case);
    let indirect = case.indirect / (case.direct + case.indirect);
    if indirect > 0.1 {
        evidence.push(format!("{} of it passes on waits of those that come last.", percent(indirect)));
    }
    Some(Fit {
        cause: CauseKind::LateArrival,
        confidence: if case.path.is_some() { 0.8 } else { 0.3 },
        what: longer(case),
        evidence,
        advice: "Share the work evenly.".to_owned(),
    })
}

/// Sentence about the location that is last most often.
fn last(case: &Case<'_>) -> Vec<String> {
    // All who wait in an operation wait until the same time.
    let mut operations: FxHashMap<u64, u32> = FxHashMap::default();
    for wait in case.waits() {
        if let Some(awaited) = wait.awaited() {
            operations.insert(wait.end, awaited);
        }
    }
    let mut times: BTreeMap<u32, usize> = BTreeMap::new();
    operations.values().for_each(|&unit| *times.entry(unit).or_default() += 1);
    let most = times.iter().max_by_key(|(_, times)| **times);
    let all = operations.len();
    most.map(|(&unit, times)| {
        format!("{} is the last in {times} of {all} operations.", subject(case.facts, &[unit]))
    })
    .into_iter()
    .collect()
}
