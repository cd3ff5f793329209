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
pub struct SingleWaits {
    clock: Clock,
    /// The first and the last tick of the basis.
    basis: (u64, u64),
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

/// The ticks that are waited in each interval of the basis, as parts of an interval.
type OverTime = [f64; SingleWaits::INTERVALS];

/// A wait of a location.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// Its begin, in ticks.
    pub begin: u64,
    /// Its end, in ticks.
    pub end: u64,
    /// The location that waits.
    pub location: u32,
    /// The location that is awaited, or [`Span::NOBODY`].
    awaited: u32,
}

impl Span {
    const NOBODY: u32 = u32::MAX;

    /// The location that is awaited.
    pub fn awaited(&self) -> Option<u32> {
        (self.awaited != Span::NOBODY).then_some(self.awaited)
    }

    /// The length.
    pub fn ticks(&self) -> u64 {
        self.end - self.begin
    }
}

/// The number of stretches of a run.
const STRETCHES: u64 = 4096;

/// The number of waits that are always kept: 24 MB.
const ALWAYS_KEPT: usize = 1_000_000;

impl SingleWaits {
    /// The number of intervals of the basis whose waits are summed up.
    pub const INTERVALS: usize = 50;

    /// No waits yet, of a trace with this clock.
    pub fn new(clock: Clock) -> Self {
        SingleWaits::with_limit(clock, ALWAYS_KEPT)
    }

    /// The same, which drops some waits beyond this number.
    pub fn with_limit(clock: Clock, limit: usize) -> Self {
        let basis = (clock.offset, clock.offset.saturating_add(clock.length));
        SingleWaits { clock, basis, by_finding: Vec::new(), kept: 0, limit }
    }

    /// Lets the intervals of the next waits lie between the first and the last tick of the basis.
    pub(super) fn lie_in(&mut self, basis: (u64, u64)) {
        self.basis = basis;
    }

    /// Adds a wait; ignores one that an alignment of clocks has left nothing of.
    pub fn add(&mut self, wait: Wait) {
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
        let (clock, basis) = (self.clock, self.basis);
        let of = &mut self.by_finding[wait.finding];
        of.add_up(&span, basis);
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
    pub fn of_finding(&self, finding: usize) -> &[Span] {
        self.by_finding.get(finding).map_or(&[], |of| &of.spans)
    }

    /// Those of all findings, each with its finding, in no order.
    pub fn by_finding(&self) -> impl Iterator<Item = (usize, &Span)> {
        (0..self.by_finding.len())
            .flat_map(|finding| self.of_finding(finding).iter().map(move |span| (finding, span)))
    }

    /// The waits of a finding in each interval of the basis, all of them.
    pub fn over_time(&self, finding: usize) -> Option<&OverTime> {
        self.by_finding.get(finding).map(|of| &of.over_time)
    }

    /// The number of stretches for each one that is kept, in the finding that keeps the fewest; 1 if all waits are kept.
    pub fn one_of(&self) -> u64 {
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

    fn add_up(&mut self, span: &Span, (first, last): (u64, u64)) {
        let length = last.saturating_sub(first).max(1) as f64 / self.over_time.len() as f64;
        let from = span.begin.saturating_sub(first) as f64 / length;
        let to = span.end.saturating_sub(first) as f64 / length;
        let (first, last) = (from as usize, to.ceil() as usize);
        for (interval, sum) in self.over_time.iter_mut().enumerate().take(last).skip(first) {
            let interval = interval as f64;
            *sum += (to.min(interval + 1.0) - from.max(interval)).max(0.0);
        }
    }
}
