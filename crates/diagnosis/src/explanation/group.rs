//! Locations that are as late as those that others wait for: only the last one is waited for, however many come with it.

use ats_documents::Finding;
use ats_model::wait_state::Class;

use super::case::Case;
use super::mechanism::Mechanism;

/// The least part of the worst culprit's further time that makes another location as late. To relieve only those above it
/// saves a quarter at most, as the others are then waited for; with a lower value locations are blamed that have less work
/// to give away, with a higher one the noise of a run decides who is blamed.
const AS_LATE: f64 = 0.75;

/// The least part of the culprit's seconds that its further time explains. With less, other locations are late at other
/// times, and totals do not tell who was late with whom.
const EXPLAINED: f64 = 0.5;

/// The units that spend about as much further time in the late code as the culprits `late` and do not wait, in their order;
/// `waiting` are those that do. Only what takes part in the waits counts: others have no share in them, however long they
/// work.
pub(super) fn as_late(case: &Case<'_>, late: &[u32], waiting: &[u32]) -> Vec<u32> {
    let is_work = matches!(
        case.mechanism,
        Mechanism::Data | Mechanism::Meeting | Mechanism::Receiver | Mechanism::Team
    );
    let others: Vec<u32> = waiting.iter().filter(|unit| !late.contains(unit)).copied().collect();
    let Some(&(worst, cost)) = case.units.first() else { return Vec::new() };
    // The time of a call includes waits there.
    if !is_work || others.is_empty() || case.path.is_none() || case.call().is_some() {
        return Vec::new();
    }
    let time = case.time();
    let usual = others.iter().map(|&unit| time[unit as usize]).sum::<f64>() / others.len() as f64;
    let further = time[worst as usize] - usual;
    if further * (others.len() as f64) < EXPLAINED * cost {
        return Vec::new();
    }
    let is_as_late = |&unit: &u32| {
        !late.contains(&unit)
            && !waiting.contains(&unit)
            && time[unit as usize] - usual >= AS_LATE * further
            && takes_part(case, worst, unit)
    };
    (0..time.len() as u32).filter(is_as_late).collect()
}

/// Whether a unit could have been waited for as the worst culprit was: it is at times, or works in the same team, or the
/// operation is one of all processes.
fn takes_part(case: &Case<'_>, worst: u32, unit: u32) -> bool {
    let facts = case.facts;
    let [one, other] = [worst, unit].map(|unit| facts.location(unit));
    match case.mechanism {
        Mechanism::Team => one.rank == other.rank,
        _ if one.thread != other.thread => false,
        _ => case.effects.iter().any(|&(finding, _)| {
            let Finding { property, communicator, .. } = &facts.analysis.findings[finding];
            let is_of_all = communicator.as_ref().is_some_and(|of| of.size == facts.processes());
            let is_of_two = property.is_some_and(|state| state.class() == Class::PointToPoint);
            is_of_all && !is_of_two || facts.pairs().has(finding, unit)
        }),
    }
}
