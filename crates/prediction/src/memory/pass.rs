//! One pass over the references of a trace.

use std::ops::Range;

use ats_documents::memory::{Cache, References};

use super::cache::SimulatedCache;
use super::distances::Distances;
use super::histogram::{Histogram, Sampled};
use super::lackey::{Kind, Reference};
use super::symbols::Symbols;

/// The fewest lines that are sampled. Of fewer, the error would be larger than a third.
const LEAST_SAMPLED: usize = 1 << 10;

/// The references of a region.
#[derive(Clone, Debug)]
pub(super) struct Region {
    pub(super) histogram: Histogram,
    /// The misses of each simulated cache.
    pub(super) simulated: Vec<u64>,
}

/// The counts of a trace, reference by reference.
///
/// If there are more lines than it may keep, it samples them by a hash of their address (SHARDS: Waldspurger and others 2015):
/// half of the lines are forgotten, and each of the others stands for one more.
#[derive(Debug)]
pub(super) struct Pass<'a> {
    references: References,
    /// The binary logarithm of the bytes of a line.
    line_bits: u32,
    most_lines: usize,
    /// A sampled line stands for 2^this many.
    halvings: u32,
    distances: Distances,
    caches: Vec<SimulatedCache>,
    symbols: Option<&'a Symbols>,
    /// One for each function, and one for other code.
    regions: Vec<Region>,
    region: usize,
    /// The addresses of the code in the region.
    code: Range<u64>,
    has_entry: bool,
}

impl<'a> Pass<'a> {
    pub(super) fn new(
        references: References,
        line: u64,
        caches: &[Cache],
        most_lines: usize,
        symbols: Option<&'a Symbols>,
    ) -> Self {
        let region = Region { histogram: Histogram::default(), simulated: vec![0; caches.len()] };
        let functions = symbols.map_or(0, |symbols| symbols.names().len());
        Pass {
            references,
            line_bits: line.ilog2(),
            most_lines: most_lines.clamp(LEAST_SAMPLED, Distances::<u64>::MOST_LINES),
            halvings: 0,
            distances: Distances::default(),
            caches: caches.iter().map(SimulatedCache::new).collect(),
            symbols,
            regions: vec![region; functions + 1],
            region: functions,
            code: 0..0,
            has_entry: false,
        }
    }

    /// The regions by their numbers; the last is of other code.
    pub(super) fn regions(&self) -> &[Region] {
        &self.regions
    }

    /// The share of the lines that is sampled, if not all are kept.
    pub(super) fn sampled(&self) -> Option<f64> {
        (self.halvings > 0).then(|| 0.5_f64.powi(self.halvings as i32))
    }

    /// Whether the program's first instruction was there.
    pub(super) fn has_entry(&self) -> bool {
        self.has_entry
    }

    /// Counts a reference.
    #[inline]
    pub(super) fn count(&mut self, reference: Reference) {
        let is_counted = match reference.kind {
            Kind::Instruction => {
                if let Some(symbols) = self.symbols {
                    self.enter(symbols, reference.address);
                }
                self.references != References::Data
            }
            Kind::Data => self.references != References::Instructions,
        };
        if !is_counted {
            return;
        }
        let first = reference.address >> self.line_bits;
        let last = (reference.address + (reference.bytes - 1)) >> self.line_bits;
        for (cache, misses) in self.caches.iter_mut().zip(&mut self.regions[self.region].simulated) {
            // It misses once, even if both of its lines do.
            *misses += u64::from((first..=last).fold(false, |missed, line| cache.misses(line) | missed));
        }
        let mut seen = self.use_line(first);
        for line in first + 1..=last {
            seen = farther(seen, self.use_line(line));
        }
        let histogram = &mut self.regions[self.region].histogram;
        match seen {
            None => histogram.pass(),
            Some((distance, Sampled { weight: 1, .. })) => histogram.add(distance),
            Some((distance, sampled)) => histogram.add_sampled(distance, sampled),
        }
    }

    #[inline]
    fn enter(&mut self, symbols: &Symbols, address: u64) {
        if !self.code.contains(&address) {
            (self.code, self.region) = symbols.function(address);
        }
        self.has_entry |= address == symbols.entry();
    }

    /// The distance of a line, if it is sampled.
    #[inline]
    fn use_line(&mut self, line: u64) -> Option<(Option<u64>, Sampled)> {
        let sampled = if self.halvings == 0 { Sampled { group: 0, weight: 1 } } else { self.sample(line)? };
        let distance = self.distances.count(line).map(|distance| distance << self.halvings);
        if self.distances.lines() > self.most_lines {
            self.halve();
        }
        Some((distance, sampled))
    }

    fn sample(&self, line: u64) -> Option<Sampled> {
        let hash = mixed(line);
        let group = (hash >> 60) as usize;
        is_sampled(hash, self.halvings).then_some(Sampled { group, weight: 1 << self.halvings })
    }

    #[cold]
    fn halve(&mut self) {
        while self.distances.lines() > self.most_lines {
            self.halvings += 1;
            let halvings = self.halvings;
            self.distances.retain(|line| is_sampled(mixed(line), halvings));
        }
    }
}

/// The longer of two distances, of lines that one reference uses.
fn farther<T>(one: Option<(Option<u64>, T)>, other: Option<(Option<u64>, T)>) -> Option<(Option<u64>, T)> {
    let length = |of: &(Option<u64>, T)| of.0.unwrap_or(u64::MAX);
    [one, other].into_iter().flatten().max_by_key(length)
}

/// Whether a line with this hash is among those that are left after so many halvings.
fn is_sampled(hash: u64, halvings: u32) -> bool {
    hash & ((1 << halvings) - 1) == 0
}

/// A hash that spreads neighbours over all bits: the last steps of `SplitMix64`, which map no two lines to one.
fn mixed(line: u64) -> u64 {
    let mut hash = line.wrapping_add(0x9E37_79B9_7F4A_7C15);
    hash = (hash ^ (hash >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    hash = (hash ^ (hash >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    hash ^ (hash >> 31)
}
