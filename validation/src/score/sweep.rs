//! Detection thresholds: the lowest severity that a tool finds a property at, from programs that ran with several.

use std::collections::BTreeMap;

use ats_documents::score::{Judgement, Outcome, ProgramResult};

use super::grouped;

/// For every expectation judged at more than one severity, by its id: the smallest severity that it was found at, with
/// all larger ones; `None` if it was missed at the largest.
///
/// Found means that the wait state was named, or that a profile was consistent. Severities below the reporting
/// threshold are not asked for: a threshold is found down to there.
pub fn detection_thresholds(programs: &[&ProgramResult]) -> BTreeMap<String, Option<f64>> {
    let points = programs.iter().flat_map(|program| {
        let judged = program.expectations.iter().filter(|e| e.is_judged() && e.unit().is_time());
        judged.map(|e| {
            let key = (program.ranks, program.threads, e.id.clone());
            let found = e.property == Judgement::Yes || e.outcome == Outcome::Consistent;
            (key, (program.parameters.clone(), e.severity.observed, found))
        })
    });
    let mut thresholds: BTreeMap<String, Option<f64>> = BTreeMap::new();
    for ((_, _, id), mut points) in grouped(points) {
        points.sort_by(|a, b| b.1.total_cmp(&a.1));
        // Repeats with the same parameters are no sweep.
        if points.iter().all(|point| point.0 == points[0].0) {
            continue;
        }
        let threshold = points.iter().take_while(|point| point.2).last().map(|point| point.1);
        let worst = |one: Option<f64>, other: Option<f64>| one.zip(other).map(|(a, b)| a.max(b));
        thresholds.entry(id).and_modify(|known| *known = worst(*known, threshold)).or_insert(threshold);
    }
    thresholds
}
