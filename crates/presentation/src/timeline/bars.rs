//! The bars of one row, never more than a limit.

use super::picture::Bar;

/// Deeper calls are counted, not shown.
const LEVELS: usize = 32;

/// The bars of a row while its events come in.
///
/// When there are too many, those that are shorter than some time are merged with their neighbours of the same level as
/// long as the result is no longer than that; and if that is not enough, with twice the time.
#[derive(Debug)]
pub(super) struct Bars {
    limit: usize,
    /// Calls that end before or begin after are left out.
    window: (u64, u64),
    open: Vec<(u32, u64)>,
    levels: Vec<Vec<Bar>>,
    count: usize,
    /// Bars up to this length were merged.
    coarseness: u64,
    pub(super) deeper: u64,
}

impl Bars {
    pub(super) fn new(limit: usize, window: (u64, u64)) -> Self {
        Bars { limit, window, open: Vec::new(), levels: Vec::new(), count: 0, coarseness: 0, deeper: 0 }
    }

    pub(super) fn open(&mut self, time: u64, region: u32) {
        self.open.push((region, time));
    }

    /// Closes the bar opened last.
    pub(super) fn close(&mut self, end: u64) {
        let Some((region, begin)) = self.open.pop() else { return };
        let level = self.open.len();
        if end < self.window.0 || begin > self.window.1 {
            return;
        }
        if level >= LEVELS {
            self.deeper += 1;
            return;
        }
        if self.levels.len() <= level {
            self.levels.resize_with(level + 1, Vec::new);
        }
        let bar = Bar { level: level as u16, region, begin, end, calls: 1 };
        if push(&mut self.levels[level], bar, self.coarseness) {
            self.count += 1;
        }
        // Twice the limit, so that merging is seldom.
        if self.count > self.limit.saturating_mul(2) {
            self.shrink();
        }
    }

    /// Merges until the limit holds, or every level is a single bar.
    fn shrink(&mut self) {
        let last = self.levels.iter().flatten().map(|bar| bar.end).max().unwrap_or(0);
        let first = self.levels.iter().flatten().map(|bar| bar.begin).min().unwrap_or(0);
        while self.count > self.limit && self.coarseness <= last - first {
            self.coarseness = (self.coarseness * 2).max((last - first) / self.limit as u64).max(1);
            for level in &mut self.levels {
                for bar in std::mem::take(level) {
                    push(level, bar, self.coarseness);
                }
            }
            self.count = self.levels.iter().map(Vec::len).sum();
        }
    }

    /// Brings every time to another clock.
    pub(super) fn retime(&mut self, clock: impl Fn(u64) -> u64) {
        for bar in self.levels.iter_mut().flatten() {
            (bar.begin, bar.end) = (clock(bar.begin), clock(bar.end));
        }
    }

    /// Calls that share a bar, the one that gave it its name not counted.
    pub(super) fn merged(&self) -> u64 {
        self.levels.iter().flatten().map(|bar| bar.calls - 1).sum()
    }

    pub(super) fn finish(mut self) -> Vec<Bar> {
        if self.count > self.limit {
            self.shrink();
        }
        self.levels.concat()
    }
}

/// Adds a bar to its level, or merges it with the last one; whether there is one more now.
fn push(level: &mut Vec<Bar>, bar: Bar, coarseness: u64) -> bool {
    match level.last_mut() {
        Some(last) if coarseness > 0 && bar.end - last.begin <= coarseness => {
            if bar.end - bar.begin > last.end - last.begin {
                last.region = bar.region;
            }
            last.end = bar.end;
            last.calls += bar.calls;
            false
        }
        _ => {
            level.push(bar);
            true
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_million_calls_become_few_bars_and_none_is_lost() {
        let mut bars = Bars::new(100, (0, u64::MAX));
        bars.open(0, 0);
        for call in 0..1_000_000 {
            bars.open(10 * call, 1);
            bars.close(10 * call + 9);
        }
        bars.open(10_000_000, 2);
        bars.close(20_000_000);
        bars.close(20_000_000);
        let merged = bars.merged();
        let bars = bars.finish();
        assert!(bars.len() <= 100, "{}", bars.len());
        assert_eq!(bars.iter().map(|bar| bar.calls).sum::<u64>(), 1_000_002);
        assert!(merged >= 1_000_002 - 200);
        assert_eq!(bars[0], Bar { level: 0, region: 0, begin: 0, end: 20_000_000, calls: 1 });
        let long = Bar { level: 1, region: 2, begin: 10_000_000, end: 20_000_000, calls: 1 };
        assert_eq!(bars.last(), Some(&long), "a long call keeps a bar of its own");
        assert!(bars.windows(2).all(|pair| pair[0].level < pair[1].level || pair[0].end <= pair[1].begin));
    }

    #[test]
    fn calls_of_a_window_are_whole_and_share_no_bar() {
        let mut bars = Bars::new(4, (500, 520));
        bars.open(0, 0);
        for call in 0..1000 {
            bars.open(10 * call, 1);
            bars.close(10 * call + 9);
        }
        bars.close(10_000);
        assert_eq!(bars.merged(), 0);
        let spans: Vec<(u64, u64)> = bars.finish().iter().map(|bar| (bar.begin, bar.end)).collect();
        assert_eq!(spans, [(0, 10_000), (500, 509), (510, 519), (520, 529)]);
    }

    #[test]
    fn many_calls_of_no_time_and_deep_ones_end() {
        let mut bars = Bars::new(10, (0, u64::MAX));
        (0..100_000).for_each(|_| bars.open(7, 0));
        (0..100_000).for_each(|_| bars.close(7));
        assert_eq!(bars.deeper, 100_000 - LEVELS as u64);
        assert_eq!(bars.finish().len(), LEVELS);
    }
}
