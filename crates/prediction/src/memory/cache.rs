//! A simulated cache.

use ats_documents::memory::Cache;

/// A set-associative cache that replaces the line which was not used for longest.
#[derive(Clone, Debug)]
pub struct SimulatedCache {
    ways: usize,
    sets: u64,
    /// The lines of each set, the last used first.
    lines: Vec<u64>,
}

/// A place that no line is in.
const EMPTY: u64 = u64::MAX;

impl SimulatedCache {
    /// An empty cache.
    pub fn new(cache: &Cache) -> Self {
        let ways = cache.ways as usize;
        SimulatedCache { ways, sets: cache.sets, lines: vec![EMPTY; ways * cache.sets as usize] }
    }

    /// Uses a line; says whether it was missing.
    pub fn misses(&mut self, line: u64) -> bool {
        let set = (line % self.sets) as usize * self.ways;
        let set = &mut self.lines[set..set + self.ways];
        let there = set.iter().position(|&other| other == line);
        set[..=there.unwrap_or(self.ways - 1)].rotate_right(1);
        set[0] = line;
        there.is_none()
    }
}
