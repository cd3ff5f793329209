//! Signals between locations: one gives a signal once, others wait for it.

use std::collections::hash_map::Entry;

use rustc_hash::FxHashMap;

use crate::kernel::time::Picoseconds;

/// The signals of a simulation, by key.
#[derive(Debug, Default)]
pub(crate) struct Signals(FxHashMap<u128, Signal>);

#[derive(Debug)]
enum Signal {
    /// When it was given.
    Given(Picoseconds),
    /// The locations that wait for it.
    Awaited(Vec<u32>),
}

impl Signals {
    /// Gives a signal at `now`; returns the locations that have waited for it. A signal that is given again keeps its time.
    pub(crate) fn give(&mut self, key: u128, now: Picoseconds) -> Vec<u32> {
        match self.0.entry(key) {
            Entry::Vacant(entry) => {
                entry.insert(Signal::Given(now));
                Vec::new()
            }
            Entry::Occupied(mut entry) => match entry.get_mut() {
                Signal::Given(_) => Vec::new(),
                Signal::Awaited(waiting) => {
                    let waiting = std::mem::take(waiting);
                    entry.insert(Signal::Given(now));
                    waiting
                }
            },
        }
    }

    /// When a signal was given; if it was not yet, `location` waits for it from now on.
    pub(crate) fn ask(&mut self, key: u128, location: u32) -> Option<Picoseconds> {
        match self.0.entry(key).or_insert_with(|| Signal::Awaited(Vec::new())) {
            Signal::Given(time) => Some(*time),
            Signal::Awaited(waiting) => {
                waiting.push(location);
                None
            }
        }
    }

    /// The time when a signal was given; `None` if it was not yet.
    pub(crate) fn given(&self, key: u128) -> Option<Picoseconds> {
        match self.0.get(&key)? {
            Signal::Given(time) => Some(*time),
            Signal::Awaited(_) => None,
        }
    }

    /// Forgets a signal that has no use any more.
    pub(crate) fn forget(&mut self, key: u128) {
        self.0.remove(&key);
    }

    /// Whether a location waits for a signal.
    pub(crate) fn is_awaited_by(&self, location: u32) -> bool {
        self.0
            .values()
            .any(|signal| matches!(signal, Signal::Awaited(waiting) if waiting.contains(&location)))
    }
}
