//! Locations work one after the other, since each needs what another one has worked out.

use std::collections::HashMap;

use ats_documents::explanation::CauseKind;

use super::Fit;
use crate::explanation::case::Case;
use crate::explanation::mechanism::Mechanism;
use crate::explanation::wording::{percent, region, subject};

/// The least part of the waits that are answered by a wait of the other for the first.
const MUTUAL: f64 = 0.8;

/// Fits if locations wait for each other about equally long.
pub(super) fn rule(case: &Case<'_>) -> Option<Fit> {
    if case.mechanism != Mechanism::Data || case.path.is_none() {
        return None;
    }
    let mut between: HashMap<(u32, u32), u64> = HashMap::new();
    let mut all = 0;
    for wait in case.waits() {
        all += wait.ticks();
        if let Some(awaited) = wait.awaited() {
            *between.entry((wait.location, awaited)).or_default() += wait.ticks();
        }
    }
    let answered = |(&(one, other), &ticks): (&(u32, u32), &u64)| {
        ticks.min(between.get(&(other, one)).copied().unwrap_or(0))
    };
    let mutual = between.iter().map(answered).sum::<u64>() as f64 / all.max(1) as f64;
    (mutual >= MUTUAL).then(|| Fit {
        cause: CauseKind::Turns,
        confidence: 0.85,
        what: format!("{} take turns in {}: one waits while the other works.", subject(case.facts, &case.waiting()), region(case)),
        evidence: vec![format!("{} of the waits are for a location that waits as long for the first.", percent(mutual))],
        advice: "Let both work at the same time: exchange results of the step before, or divide the work into parts and \
                 send each when it is ready."
            .to_owned(),
    })
}
