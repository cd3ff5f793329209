//! The correction of a location's clock.

use crate::ClockOffset;

/// Brings a location's time stamps onto the trace's common clock, by lines between its measured offsets.
///
/// It rounds as the C library does, and extrapolates its first and last line; a lone offset holds for ever.
pub(super) struct ClockCorrection {
    lines: Vec<Line>,
    current: usize,
}

struct Line {
    begin: u64,
    end: u64,
    offset: i64,
    slope: f64,
}

impl ClockCorrection {
    pub(super) fn new(offsets: &[ClockOffset]) -> Self {
        let mut lines: Vec<Line> = Vec::with_capacity(offsets.len());
        if offsets.iter().all(|measured| measured.offset == 0) {
            return ClockCorrection { lines, current: 0 };
        }
        for measured in offsets {
            if let Some(line) = lines.last_mut() {
                if measured.time <= line.begin {
                    continue;
                }
                line.end = measured.time;
                line.slope =
                    measured.offset.wrapping_sub(line.offset) as f64 / (measured.time - line.begin) as f64;
            }
            lines.push(Line { begin: measured.time, end: u64::MAX, offset: measured.offset, slope: 0.0 });
        }
        if lines.len() > 1 {
            lines.pop();
        }
        ClockCorrection { lines, current: 0 }
    }

    /// The common time of a time stamp. Stamps come in rising order.
    #[inline(always)]
    pub(super) fn apply(&mut self, time: u64) -> u64 {
        if self.lines.is_empty() { time } else { self.interpolate(time) }
    }

    #[inline]
    fn interpolate(&mut self, time: u64) -> u64 {
        while self.current + 1 < self.lines.len() && time > self.lines[self.current].end {
            self.current += 1;
        }
        let Some(line) = self.lines.get(self.current) else { return time };
        let since_begin =
            if time >= line.begin { (time - line.begin) as f64 } else { -((line.begin - time) as f64) };
        let offset = line.offset.wrapping_add((line.slope * since_begin).round_ties_even() as i64);
        time.wrapping_add_signed(offset)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn corrected(offsets: &[(u64, i64)], times: &[u64]) -> Vec<u64> {
        let offsets: Vec<_> = offsets
            .iter()
            .map(|&(time, offset)| ClockOffset { time, offset, standard_deviation: 0.0 })
            .collect();
        let mut clock = ClockCorrection::new(&offsets);
        times.iter().map(|&time| clock.apply(time)).collect()
    }

    #[test]
    fn no_offset_leaves_time_as_it_is() {
        assert_eq!(corrected(&[], &[0, 5, u64::MAX]), [0, 5, u64::MAX]);
    }

    #[test]
    fn one_offset_holds_for_ever() {
        assert_eq!(corrected(&[(100, -7)], &[50, 100, 200]), [43, 93, 193]);
    }

    #[test]
    fn between_two_it_is_a_line_which_goes_on() {
        assert_eq!(corrected(&[(100, 10), (200, 30)], &[50, 100, 150, 200, 250]), [50, 110, 170, 230, 290]);
    }

    #[test]
    fn each_pair_has_its_line() {
        let offsets = [(0, 0), (100, 10), (200, 0)];
        assert_eq!(corrected(&offsets, &[50, 100, 150, 300]), [55, 110, 155, 290]);
    }

    #[test]
    fn halves_are_rounded_to_even() {
        assert_eq!(corrected(&[(0, 0), (4, 2)], &[1, 2, 3]), [1, 3, 5]);
    }

    #[test]
    fn a_second_measurement_at_the_same_time_is_passed_over() {
        assert_eq!(corrected(&[(100, 10), (100, 99), (200, 30)], &[150]), [170]);
    }
}
