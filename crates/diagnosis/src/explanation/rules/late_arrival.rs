//! A location reaches an operation of all locations last: Kappa-PI's problem at a barrier.

use std::collections::BTreeMap;

use ats_documents::explanation::CauseKind;
use rustc_hash::FxHashMap;

use super::distribution::{IS_EVEN, is_uneven};
use super::uneven_work::longer;
use crate::explanation::case::Case;
use crate::explanation::fit::Fit;
use crate::explanation::mechanism::Mechanism;
use crate::explanation::wording::{percent, subject};

/// Fits waits at operations that all locations meet in, if the last ones are not late in a call: that is no work.
pub(super) fn rule(case: &Case<'_>) -> Option<Fit> {
    if case.mechanism != Mechanism::Meeting || case.units.is_empty() || case.call().is_some() {
        return None;
    }
    let mut evidence = last(case);
    let indirect = case.indirect / (case.direct + case.indirect);
    if indirect > WORTH {
        evidence.push(format!("{} of it passes on waits of those that come last.", percent(indirect)));
    }
    Some(Fit {
        cause: CauseKind::LateArrival,
        confidence: if case.path.is_some() { 0.8 } else { 0.3 },
        what: longer(case),
        evidence,
        advice: advice(case),
    })
}

/// The least part of the seconds that is worth a sentence: a matter of taste.
const WORTH: f64 = 0.1;

fn advice(case: &Case<'_>) -> String {
    match case.path {
        None => "Record the regions of the program, too: what makes it late is not known.".to_owned(),
        Some(_) if is_uneven(case) => "Share the work evenly.".to_owned(),
        Some(_) => format!("{IS_EVEN} Find out what varies, or let them wait for each other less often."),
    }
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
