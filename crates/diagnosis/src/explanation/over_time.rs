//! Efficiency in the course of a run.

use ats_documents::explanation::OverTime;
use ats_model::clock_correction::ClockMethod;

use super::division::is_at_end;
use super::facts::{self, Facts};
use super::{SingleWaits, has_clocks};

/// The part of the lost seconds that is due to rounding.
const ROUNDING: f64 = 1e-9;

/// The share of each interval of the basis in which locations do not wait, in a run of so many lost seconds; no intervals
/// if each process has its own clock.
pub(super) fn efficiencies(facts: &Facts<'_>, lost: f64, ticks: (u64, u64)) -> OverTime {
    let analysis = facts.analysis;
    if has_clocks(analysis, ClockMethod::Derived) {
        return OverTime { untimed: lost, ..OverTime::default() };
    }
    let mut waited = [0.0; SingleWaits::INTERVALS];
    let at_end = analysis.findings.iter().enumerate().filter(|(_, finding)| is_at_end(analysis, finding));
    for (index, _) in facts::lost(analysis).chain(at_end) {
        let of_finding = facts.waits.over_time(index).into_iter().flatten();
        waited.iter_mut().zip(of_finding).for_each(|(sum, waited)| *sum += waited);
    }
    let interval = analysis.basis.wall_time / SingleWaits::INTERVALS as f64;
    let timed = waited.iter().sum::<f64>() * interval;
    let locations = analysis.basis.location_seconds / analysis.basis.wall_time;
    let efficiency = |waited: &f64| if *waited > 0.0 { (1.0 - waited / locations).max(0.0) } else { 1.0 };
    let first = ticks.0.saturating_sub(facts.clock.offset);
    OverTime {
        begin: facts.clock.seconds(first),
        interval,
        efficiency: waited.iter().map(efficiency).collect(),
        untimed: if timed < lost * (1.0 - ROUNDING) { lost - timed } else { 0.0 },
    }
}
