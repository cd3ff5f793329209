//! Efficiency in the course of a run.

use ats_documents::explanation::OverTime;

use super::case;
use super::facts::Facts;

/// The number of intervals.
const INTERVALS: usize = 50;

/// The share of each interval in which locations do not wait.
pub(super) fn of(facts: &Facts<'_>) -> OverTime {
    let clock = facts.clock;
    let length = clock.length.max(1) as f64 / INTERVALS as f64;
    let mut waited = [0.0; INTERVALS];
    let mut timed = 0.0;
    let mut lost = 0.0;
    for (index, finding) in case::lost(facts.analysis) {
        lost += finding.waiting_time;
        for span in facts.waits.of(index) {
            timed += clock.seconds(span.ticks());
            let from = span.begin.saturating_sub(clock.offset) as f64 / length;
            let to = span.end.saturating_sub(clock.offset) as f64 / length;
            let (first, last) = (from as usize, (to.ceil() as usize).min(INTERVALS));
            for (interval, sum) in waited.iter_mut().enumerate().take(last).skip(first) {
                let interval = interval as f64;
                *sum += (to.min(interval + 1.0) - from.max(interval)).max(0.0);
            }
        }
    }
    let locations = facts.profile.units.len().max(1) as f64;
    OverTime {
        begin: 0.0,
        interval: length / clock.resolution.max(1) as f64,
        efficiency: waited.iter().map(|waited| 1.0 - waited / locations).collect(),
        untimed: f64::max(0.0, lost - timed),
    }
}
