//! Locations that are as late as those that others wait for: only the last one is waited for, however many come with it.

use ats_documents::Finding;
use ats_model::wait_state::Class;

use super::facts::Facts;
use super::mechanism::Mechanism;

/// The least part of the worst culprit's further time that makes another location as late. To relieve only those above it
/// saves a quarter at most, as the others are then waited for; with a lower value locations are blamed that have less work
/// to give away, with a higher one the noise of a run decides who is blamed.
const AS_LATE: f64 = 0.75;

/// The least part of the culprit's seconds that its further time explains. With less, other locations are late at other
/// times, and totals do not tell which were late together.
const EXPLAINED: f64 = 0.5;

/// Locations that others wait for, and their waits.
pub(super) struct Group<'g> {
    pub(super) facts: &'g Facts<'g>,
    pub(super) mechanism: Mechanism,
    /// The unit that others wait for the most, with the seconds.
    pub(super) worst: (u32, f64),
    /// The units that others wait for most of the time.
    pub(super) late: &'g [u32],
    /// The units that wait for at least half as long as the one that waits the longest.
    pub(super) waiting: &'g [u32],
    /// The findings, with their seconds.
    pub(super) findings: &'g [(usize, f64)],
}

impl Group<'_> {
    /// The units that spend about as much further time in the late code as the worst one and hardly wait, in their order;
    /// `time` is that of each unit there. Only what takes part in the waits counts: others have no share in them, however
    /// long they work.
    pub(super) fn as_late(&self, time: &[f64]) -> Vec<u32> {
        let is_work = matches!(
            self.mechanism,
            Mechanism::Data | Mechanism::Meeting | Mechanism::Receiver | Mechanism::Team
        );
        let others: Vec<u32> =
            self.waiting.iter().filter(|unit| !self.late.contains(unit)).copied().collect();
        if !is_work || others.is_empty() {
            return Vec::new();
        }
        let (worst, cost) = self.worst;
        let usual = others.iter().map(|&unit| time[unit as usize]).sum::<f64>() / others.len() as f64;
        let further = time[worst as usize] - usual;
        if further * (others.len() as f64) < EXPLAINED * cost {
            return Vec::new();
        }
        let is_as_late = |&unit: &u32| {
            !self.late.contains(&unit)
                && !self.waiting.contains(&unit)
                && time[unit as usize] - usual >= AS_LATE * further
                && self.has(unit)
        };
        (0..time.len() as u32).filter(is_as_late).collect()
    }

    /// Whether a unit could have been waited for as the worst one was: it is at times, or works in the same team, or the
    /// operation is one of all processes.
    fn has(&self, unit: u32) -> bool {
        let facts = self.facts;
        let [one, other] = [self.worst.0, unit].map(|unit| facts.location(unit));
        match self.mechanism {
            Mechanism::Team => one.rank == other.rank,
            _ if one.thread != other.thread => false,
            _ => self.findings.iter().any(|&(finding, _)| {
                let Finding { property, communicator, .. } = &facts.analysis.findings[finding];
                let is_of_all = communicator.as_ref().is_some_and(|of| of.size == facts.processes());
                let is_of_two = property.is_some_and(|state| state.class() == Class::PointToPoint);
                is_of_all && !is_of_two || facts.waiting(finding, unit).is_some()
            }),
        }
    }
}
