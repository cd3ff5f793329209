//! Single waits, by finding.
//!
//! A run of an hour has more waits than fit into memory, and what rules look for in them recurs: chains, turns, who is
//! last. So a finding with many waits keeps those of some stretches of the run. A stretch is kept whole, since chains
//! are looked for in it, and for all findings alike: one that keeps fewer stretches keeps some of those of the others.
//! The stretches are drawn at random, so that they do not fall in step with the iterations of the program.

use std::hash::BuildHasher;

use ats_documents::Wait;
use ats_model::definitions::Clock;
use rustc_hash::FxBuildHasher;

/// The single waits of an analysis.
#[derive(Clone, Debug)]
pub(super) struct SingleWaits {
    clock: Clock,
    by_finding: Vec<Waits>,
    kept: usize,
    /// The number of waits beyond which some are dropped.
    limit: usize,
}

/// The single waits of a finding.
#[derive(Clone, Debug)]
struct Waits {
    spans: Vec<Span>,
    /// One of `2^thinned` stretches of the run is kept.
    thinned: u32,
    over_time: OverTime,
}

/// The ticks that are waited in each interval of the run, as parts of an interval.
type OverTime = [f64; SingleWaits::INTERVALS];

/// A wait of a location.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    /// Its begin, in ticks.
    pub(super) begin: u64,
    /// Its end, in ticks.
    pub(super) end: u64,
    /// The location that waits.
    pub(super) location: u32,
    /// The location that is awaited, or [`Span::NOBODY`].
    awaited: u32,
}

impl Span {
    const NOBODY: u32 = u32::MAX;

    /// The location that is awaited.
    pub(super) fn awaited(&self) -> Option<u32> {
        (self.awaited != Span::NOBODY).then_some(self.awaited)
    }

    pub(super) fn ticks(&self) -> u64 {
        self.end - self.begin
    }
}

/// The number of stretches of a run.
const STRETCHES: u64 = 4096;

/// The number of waits that are always kept: 24 MB.
const ALWAYS_KEPT: usize = 1_000_000;

impl SingleWaits {
    /// The number of intervals of a run whose waits are summed up.
    pub(super) const INTERVALS: usize = 50;

    /// No waits yet, of a trace with this clock.
    pub(super) fn new(clock: Clock) -> Self {
        SingleWaits { clock, by_finding: Vec::new(), kept: 0, limit: ALWAYS_KEPT }
    }

    /// Adds a wait; ignores one that an alignment of clocks has left nothing of.
    pub(super) fn add(&mut self, wait: Wait) {
        if wait.end <= wait.begin {
            return;
        }
        let span = Span {
            begin: wait.begin,
            end: wait.end,
            location: wait.location as u32,
            awaited: wait.awaited.map_or(Span::NOBODY, |awaited| awaited as u32),
        };
        if self.by_finding.len() <= wait.finding {
            self.by_finding.resize_with(wait.finding + 1, Waits::default);
        }
        let clock = self.clock;
        let of = &mut self.by_finding[wait.finding];
        of.add_up(&span, clock);
        if of.keeps(&span, clock) {
            of.spans.push(span);
            self.kept += 1;
            if self.kept > self.limit {
                self.thin();
            }
        }
    }

    /// Keeps half of the stretches of the findings with the most waits.
    fn thin(&mut self) {
        let clock = self.clock;
        let most = self.by_finding.iter().map(|of| of.spans.len()).max().unwrap_or(0);
        for of in self.by_finding.iter_mut().filter(|of| of.spans.len() > most / 2) {
            of.thinned += 1;
            let mut spans = std::mem::take(&mut of.spans);
            spans.retain(|span| of.keeps(span, clock));
            of.spans = spans;
        }
        self.kept = self.by_finding.iter().map(|of| of.spans.len()).sum();
        self.limit = self.limit.max(self.kept + self.kept / 4);
    }

    /// Those of a finding, in no order; of some stretches of the run if there are many.
    pub(super) fn of(&self, finding: usize) -> &[Span] {
        self.by_finding.get(finding).map_or(&[], |of| &of.spans)
    }

    /// Those of all findings, in no order.
    pub(super) fn all(&self) -> impl Iterator<Item = &Span> {
        self.by_finding.iter().flat_map(|of| &of.spans)
    }

    /// The waits of a finding in each interval of the run, all of them.
    pub(super) fn over_time(&self, finding: usize) -> Option<&OverTime> {
        self.by_finding.get(finding).map(|of| &of.over_time)
    }

    /// The number of stretches for each one that is kept, in the finding that keeps the fewest; 1 if all waits are kept.
    pub(super) fn one_of(&self) -> u64 {
        1 << self.by_finding.iter().map(|of| of.thinned).max().unwrap_or(0)
    }
}

impl Default for Waits {
    fn default() -> Self {
        Waits { spans: Vec::new(), thinned: 0, over_time: [0.0; SingleWaits::INTERVALS] }
    }
}

impl Waits {
    /// Whether the stretch of the run that a wait ends in is kept.
    fn keeps(&self, span: &Span, clock: Clock) -> bool {
        let stretch = span.end.saturating_sub(clock.offset) / (clock.length / STRETCHES).max(1);
        let drawn = FxBuildHasher.hash_one(stretch) >> (u64::BITS / 2);
        drawn & ((1 << self.thinned) - 1) == 0
    }

    fn add_up(&mut self, span: &Span, clock: Clock) {
        let length = clock.length.max(1) as f64 / self.over_time.len() as f64;
        let from = span.begin.saturating_sub(clock.offset) as f64 / length;
        let to = span.end.saturating_sub(clock.offset) as f64 / length;
        let (first, last) = (from as usize, to.ceil() as usize);
        for (interval, sum) in self.over_time.iter_mut().enumerate().take(last).skip(first) {
            let interval = interval as f64;
            *sum += (to.min(interval + 1.0) - from.max(interval)).max(0.0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLOCK: Clock = Clock { resolution: 1_000_000_000, offset: 1_000, length: 10_000_000 };

    fn wait(finding: usize, begin: u64, end: u64) -> Wait {
        Wait { finding, location: 0, begin, end, awaited: None }
    }

    #[test]
    fn a_wait_of_no_ticks_is_none() {
        let mut waits = SingleWaits::new(CLOCK);
        for (begin, end) in [(5, 5), (5, 4), (5, 7)] {
            waits.add(wait(0, begin, end));
        }
        assert_eq!(waits.of(0).iter().map(Span::ticks).collect::<Vec<_>>(), [2]);
    }

    #[test]
    fn of_many_waits_some_stretches_are_kept_and_all_are_summed_up() {
        let mut waits = SingleWaits { limit: 1_000, ..SingleWaits::new(CLOCK) };
        for at in 0..100_000 {
            let begin = CLOCK.offset + at * 100;
            waits.add(wait(0, begin, begin + 50));
            waits.add(wait(1, begin + 25, begin + 50));
            if at % 10_000 == 0 {
                waits.add(wait(2, begin, begin + 10));
            }
        }
        assert_eq!(waits.of(2).len(), 10, "few waits are kept");
        assert!((250..=1_000).contains(&waits.kept), "{}", waits.kept);
        let ends = |finding| waits.of(finding).iter().map(|wait| wait.end);
        let (one, other): (Vec<u64>, Vec<u64>) = (ends(0).collect(), ends(1).collect());
        let (fewer, more) = if one.len() < other.len() { (one, other) } else { (other, one) };
        assert!(fewer.iter().all(|end| more.contains(end)), "they keep the same stretches");
        assert!((64..=512).contains(&waits.one_of()), "{}", waits.one_of());
        for (finding, waited) in [(0, 0.5), (1, 0.25)] {
            let sums = waits.over_time(finding).unwrap();
            assert!(sums.iter().all(|sum| (sum - waited).abs() < 1e-3), "{sums:?}");
        }
    }
}
