//! The clocks of rows, if the analysis had to derive them.

use std::collections::HashMap;

use ats_documents::Analysis;
use ats_model::{
    Definitions,
    clock_correction::{ClockMethod, ProcessClock},
};

/// The conversion of a row's times to the common clock.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RowClock {
    /// The first event of the process.
    origin: u64,
    /// The offset, in ticks.
    offset: f64,
    drift: f64,
    /// The amount added to all rows, so that no time is negative.
    shift: i128,
}

impl RowClock {
    pub(super) fn apply(&self, time: u64) -> u64 {
        (self.moved(time) + self.shift).clamp(0, u64::MAX.into()) as u64
    }

    /// The time of the trace that [`RowClock::apply`] brings to this one.
    pub(super) fn unapply(&self, time: u64) -> u64 {
        let moved = (i128::from(time) - self.shift - i128::from(self.origin)) as f64;
        let since_origin = ((moved - self.offset) / (1.0 + self.drift)).round();
        (i128::from(self.origin) + since_origin as i128).clamp(0, u64::MAX.into()) as u64
    }

    fn moved(&self, time: u64) -> i128 {
        let since_origin = i128::from(time) - i128::from(self.origin);
        i128::from(time) + (self.offset + self.drift * since_origin as f64).round() as i128
    }
}

/// The clock of each row, for rows of these locations that begin at these times; `None` if the times of the trace hold.
pub(super) fn clocks(
    definitions: &Definitions,
    analysis: Option<&Analysis>,
    shown: &[usize],
    begins: &[Option<u64>],
) -> Option<Vec<RowClock>> {
    let correction = analysis?.clock_correction.as_ref()?;
    if correction.method != ClockMethod::Derived {
        return None;
    }
    let of_processes: HashMap<u32, &ProcessClock> =
        correction.processes.iter().map(|process| (process.rank, process)).collect();
    let mut origins: HashMap<u32, u64> = HashMap::new();
    let rank = |location: &usize| definitions.locations[*location].rank;
    for (location, &begin) in shown.iter().zip(begins) {
        let Some(begin) = begin else { continue };
        origins.entry(rank(location)).and_modify(|origin| *origin = begin.min(*origin)).or_insert(begin);
    }
    let ticks = definitions.clock.resolution.max(1) as f64;
    let clock = |location: &usize| {
        let origin = origins.get(&rank(location)).copied().unwrap_or(0);
        match of_processes.get(&rank(location)) {
            Some(of) => RowClock { origin, offset: of.offset * ticks, drift: of.drift, shift: 0 },
            None => RowClock { origin, ..RowClock::default() },
        }
    };
    let mut clocks: Vec<RowClock> = shown.iter().map(clock).collect();
    let earliest = clocks.iter().map(|clock| clock.moved(clock.origin)).min().unwrap_or(0);
    let shift = (-earliest).max(0);
    clocks.iter_mut().for_each(|clock| clock.shift = shift);
    Some(clocks)
}

#[cfg(test)]
mod tests {
    use super::RowClock;

    #[test]
    fn a_time_of_the_common_clock_is_found_in_the_trace() {
        for (offset, drift, shift) in [(0.0, 0.0, 0), (-5e5, 1e-4, 7_000_000), (3.5e6, -2e-5, 0)] {
            let clock = RowClock { origin: 1_000_000, offset, drift, shift };
            for time in [1_000_000, 1_000_001, 5_000_000, 10_000_000_000] {
                assert!(clock.unapply(clock.apply(time)).abs_diff(time) <= 1, "{clock:?} at {time}");
            }
        }
    }
}
