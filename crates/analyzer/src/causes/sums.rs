//! Sums of a location's time and waits by call path, at every point of its past that can still begin an interval.
//!
//! # Intervals
//!
//! The time between two points of a location is the difference of two sums, whatever lies between them. Each call path
//! has a history: its sums after every change, by rising point. The sums at a point are those of the last change up to
//! it. Paths are linked in the order of their last changes, so that the paths of an interval are found without a look at
//! the others.
//!
//! Histories would grow with the trace. But an interval begins only at a point that is the last one with some partner.
//! So whenever the histories have doubled, all changes are forgotten that no such point needs: memory is bounded by call
//! paths and partners.

/// A position on a location's tape: points are numbered upwards, and 0 is before all of them.
pub(super) type Position = u64;

/// The sums of a location.
#[derive(Debug)]
pub(super) struct Sums {
    paths: Vec<Path>,
    /// The path that was changed last: an index into `paths`.
    newest: u32,
    /// The number of changes in all histories, and the limit of it.
    changes: usize,
    limit: usize,
}

#[derive(Debug)]
struct Path {
    /// The number of the call path.
    path: u32,
    older: u32,
    newer: u32,
    history: Vec<Change>,
}

/// The sums of a call path from a position on, in ticks.
#[derive(Clone, Copy, Debug, Default)]
struct Change {
    at: Position,
    time: u64,
    wait: u64,
}

/// No path, at either end of the list.
const NONE: u32 = u32::MAX;

/// Changes that are kept in any case.
const FEW: usize = 256;

impl Default for Sums {
    fn default() -> Self {
        Sums { paths: Vec::new(), newest: NONE, changes: 0, limit: FEW }
    }
}

impl Sums {
    /// Begins the sums of one more call path; returns their index.
    pub(super) fn begin(&mut self, path: u32) -> u32 {
        self.paths.push(Path { path, older: NONE, newer: NONE, history: Vec::new() });
        self.paths.len() as u32 - 1
    }

    /// Adds time in the call path of an index that ends at a position.
    #[inline]
    pub(super) fn add_time(&mut self, index: u32, at: Position, ticks: u64) {
        let change = self.change(index, at);
        change.time = change.time.saturating_add(ticks);
    }

    /// Adds a wait in the call path of an index at a position.
    #[inline]
    pub(super) fn add_wait(&mut self, index: u32, at: Position, ticks: u64) {
        let change = self.change(index, at);
        change.wait = change.wait.saturating_add(ticks);
    }

    /// The sums of a path that change at a position, which is not before any other.
    fn change(&mut self, index: u32, at: Position) -> &mut Change {
        self.renew(index);
        let history = &mut self.paths[index as usize].history;
        let last = history.last().copied().unwrap_or_default();
        if history.is_empty() || last.at != at {
            history.push(Change { at, ..last });
            self.changes += 1;
        }
        let last = history.len() - 1;
        &mut history[last]
    }

    /// Makes a path the newest one.
    fn renew(&mut self, index: u32) {
        if self.newest == index {
            return;
        }
        let Path { older, newer, .. } = self.paths[index as usize];
        if newer != NONE {
            self.paths[newer as usize].older = older;
        }
        if older != NONE {
            self.paths[older as usize].newer = newer;
        }
        if self.newest != NONE {
            self.paths[self.newest as usize].newer = index;
        }
        let of_path = &mut self.paths[index as usize];
        (of_path.older, of_path.newer) = (self.newest, NONE);
        self.newest = index;
    }

    /// The time and the waits in each call path from a position on, up to now.
    pub(super) fn since(&self, position: Position) -> impl Iterator<Item = (u32, u64, u64)> {
        let path = |index: u32| self.paths.get(index as usize);
        let changed = std::iter::successors(path(self.newest), move |of_path| path(of_path.older));
        let changed = changed.map(|of_path| (of_path, of_path.history.last().copied().unwrap_or_default()));
        changed.take_while(move |(_, last)| last.at > position).map(move |(of_path, last)| {
            let before = of_path.history.partition_point(|change| change.at <= position);
            let before = before.checked_sub(1).map(|before| of_path.history[before]).unwrap_or_default();
            (of_path.path, last.time - before.time, last.wait - before.wait)
        })
    }

    /// The time and the waits in each call path.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u32, u64, u64)> {
        let last = |of_path: &Path| of_path.history.last().copied().unwrap_or_default();
        self.paths.iter().map(move |of_path| (of_path.path, last(of_path).time, last(of_path).wait))
    }

    /// Whether there are so many changes that needless ones are to be forgotten.
    pub(super) fn are_many(&self) -> bool {
        self.changes > self.limit
    }

    /// Forgets the changes that none of the `needed` positions needs, which are rising.
    pub(super) fn forget(&mut self, needed: &[Position]) {
        for Path { history, .. } in &mut self.paths {
            let Some(&last) = history.last() else { continue };
            let mut next = history.iter().map(|change| change.at).skip(1).collect::<Vec<_>>().into_iter();
            // A change is needed by the positions from it on, up to the next one.
            history.retain(|change| match next.next() {
                Some(next) => {
                    let position = needed.partition_point(|&position| position < change.at);
                    needed.get(position).is_some_and(|&position| position < next)
                }
                None => change.at == last.at,
            });
        }
        self.changes = self.paths.iter().map(|of_path| of_path.history.len()).sum();
        self.limit = (2 * self.changes).max(FEW);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorted(sums: impl Iterator<Item = (u32, u64, u64)>) -> Vec<(u32, u64, u64)> {
        let mut sums: Vec<_> = sums.collect();
        sums.sort_unstable();
        sums
    }

    #[test]
    fn an_interval_is_a_difference_of_sums() {
        let mut sums = Sums::default();
        let (seven, eight) = (sums.begin(7), sums.begin(8));
        sums.add_time(seven, 4, 10);
        sums.add_time(eight, 4, 1);
        sums.add_wait(eight, 6, 1);
        sums.add_time(seven, 8, 5);
        assert_eq!(sorted(sums.since(0)), [(7, 15, 0), (8, 1, 1)]);
        assert_eq!(sorted(sums.since(5)), [(7, 5, 0), (8, 0, 1)]);
        assert_eq!(sorted(sums.since(6)), [(7, 5, 0)]);
        assert_eq!(sorted(sums.since(8)), []);
    }

    #[test]
    fn sums_at_a_needed_position_are_kept() {
        let (mut sums, mut all) = (Sums::default(), Sums::default());
        for sums in [&mut sums, &mut all] {
            (0..7).for_each(|path| assert_eq!(sums.begin(path), path));
        }
        for at in 1..1000 {
            for sums in [&mut sums, &mut all] {
                sums.add_time((at % 7) as u32, at, at);
                sums.add_wait((at % 5) as u32, at, 1);
            }
        }
        let needed = [3, 500, 501, 998];
        sums.forget(&needed);
        assert!(sums.changes <= 7 * 5, "{}", sums.changes);
        for position in [0].into_iter().chain(needed) {
            assert_eq!(sorted(sums.since(position)), sorted(all.since(position)), "since {position}");
        }
    }
}
