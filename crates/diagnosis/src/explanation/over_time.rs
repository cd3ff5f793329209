//! Efficiency in the course of a run.

use ats_documents::explanation::OverTime;
use ats_model::clock_correction::ClockMethod;

use super::facts::{self, Facts};
use super::{SingleWaits, has_clocks};

/// The part of the lost seconds that is due to rounding.
const ROUNDING: f64 = 1e-9;

/// The share of each interval in which locations do not wait, in a run of so many lost seconds; no intervals if each process has its own clock.
pub(super) fn of(facts: &Facts<'_>, lost: f64) -> OverTime {
    let length = facts.clock.seconds(facts.clock.length.max(1)) / SingleWaits::INTERVALS as f64;
    let mut waited = [0.0; SingleWaits::INTERVALS];
    for (index, _) in facts::lost(facts.analysis) {
        let of_finding = facts.waits.over_time(index).into_iter().flatten();
        waited.iter_mut().zip(of_finding).for_each(|(sum, waited)| *sum += waited);
    }
    if has_clocks(facts.analysis, ClockMethod::Derived) {
        return OverTime { untimed: lost, ..OverTime::default() };
    }
    let timed = waited.iter().sum::<f64>() * length;
    let locations = facts.profile.units.len().max(1) as f64;
    OverTime {
        begin: 0.0,
        interval: length,
        efficiency: waited.iter().map(|waited| 1.0 - waited / locations).collect(),
        untimed: if timed < lost * (1.0 - ROUNDING) { lost - timed } else { 0.0 },
    }
}
