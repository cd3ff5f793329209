//! Scales: the costs of a second of a location's waits, on the way backward.

use std::{cmp::Ordering, collections::BinaryHeap};

use super::sums::Position;

/// A sum that loses nothing by what is added and taken away again: the rounding errors are kept beside it.
#[derive(Clone, Copy, Debug, Default)]
struct Exact {
    sum: f64,
    error: f64,
}

impl Exact {
    fn add(&mut self, value: f64) {
        let sum = self.sum + value;
        let part = sum - self.sum;
        self.error += (self.sum - (sum - part)) + (value - part);
        self.sum = sum;
    }

    fn value(self) -> f64 {
        (self.sum + self.error).max(0.0)
    }
}

/// The scale of a column: costs per second of waiting, and the same times the waits that they have come through.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scale {
    pub(super) column: u16,
    pub(super) cost: f64,
    pub(super) hops: f64,
}

/// A scale that is open down to a position, over the waits of a call path or [`ALL_PATHS`].
#[derive(Clone, Copy, Debug)]
struct Closing {
    since: Position,
    path: u32,
    scale: Scale,
}

/// The waits of all call paths.
pub(super) const ALL_PATHS: u32 = u32::MAX;

impl PartialEq for Closing {
    fn eq(&self, other: &Self) -> bool {
        self.since == other.since
    }
}

impl Eq for Closing {}

impl PartialOrd for Closing {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Closing {
    fn cmp(&self, other: &Self) -> Ordering {
        self.since.cmp(&other.since)
    }
}

/// The scales that are open over a location.
#[derive(Debug, Default)]
pub(super) struct Open {
    /// The sums of costs and hops, by rising call path and column.
    sums: Vec<((u32, u16), Exact, Exact)>,
    /// The scales; the next one to be closed first.
    closing: BinaryHeap<Closing>,
    /// By call path, the largest shares of waits that a causer takes, by the end of its interval: of all waits, and of
    /// those for messages alone.
    shares: Vec<(u32, [Shares; 2])>,
}

/// Shares of waits, each down to a position. Shares and positions rise: a share is omitted if another one is as large and
/// reaches as far.
#[derive(Debug, Default)]
struct Shares(Vec<(Position, f64)>);

impl Shares {
    fn add(&mut self, since: Position, share: f64) {
        let before = self.0.partition_point(|&(other, _)| other <= since);
        if self.0[..before].last().is_some_and(|&(_, other)| other >= share) {
            return;
        }
        let from = self.0.partition_point(|&(other, _)| other < since);
        let to = from + self.0[from..].partition_point(|&(_, other)| other <= share);
        self.0.splice(from..to, [(since, share)]);
    }

    fn close(&mut self, at: Position) {
        let open = self.0.partition_point(|&(since, _)| since < at);
        self.0.truncate(open);
    }

    fn largest(&self) -> f64 {
        self.0.last().map_or(0.0, |&(_, share)| share)
    }
}

impl Open {
    /// Opens a scale over the waits of a call path since a position.
    pub(super) fn open(&mut self, since: Position, path: u32, scale: Scale) {
        let Scale { column, cost, hops } = scale;
        let index = self.sums.partition_point(|&(other, ..)| other < (path, column));
        if self.sums.get(index).is_none_or(|&(other, ..)| other != (path, column)) {
            self.sums.insert(index, ((path, column), Exact::default(), Exact::default()));
        }
        self.sums[index].1.add(cost);
        self.sums[index].2.add(hops);
        self.closing.push(Closing { since, path, scale });
    }

    /// Adds the share that a causer takes of the waits of a call path since a position.
    pub(super) fn share(&mut self, since: Position, path: u32, share: f64, is_of_message: bool) {
        let known = self.shares.iter().position(|&(other, _)| other == path);
        let index = known.unwrap_or_else(|| {
            self.shares.push((path, <[Shares; 2]>::default()));
            self.shares.len() - 1
        });
        for shares in &mut self.shares[index].1[..1 + usize::from(is_of_message)] {
            shares.add(since, share);
        }
    }

    /// The largest shares of a wait in a call path: of all, and of messages alone.
    pub(super) fn largest_shares(&self, path: u32) -> [f64; 2] {
        let of_path = self.shares.iter().filter(|(other, _)| is_over(*other, path));
        of_path.fold([0.0; 2], |largest, (_, shares)| {
            [0, 1].map(|which| f64::max(largest[which], shares[which].largest()))
        })
    }

    /// Closes what does not reach down to a position.
    pub(super) fn close(&mut self, at: Position) {
        while let Some(&Closing { path, scale, .. }) =
            self.closing.peek().filter(|closing| closing.since >= at)
        {
            self.closing.pop();
            let Scale { column, cost, hops } = scale;
            if let Ok(index) = self.sums.binary_search_by_key(&(path, column), |&(key, ..)| key) {
                self.sums[index].1.add(-cost);
                self.sums[index].2.add(-hops);
            }
        }
        if self.closing.is_empty() {
            self.sums.clear();
        }
        self.shares.iter_mut().flat_map(|(_, shares)| shares).for_each(|shares| shares.close(at));
    }

    /// The costs of a wait in a call path.
    pub(super) fn costs(&self, path: u32, ticks: f64, into: &mut Vec<Scale>) {
        for over in [path, ALL_PATHS] {
            let first = self.sums.partition_point(|&((other, _), ..)| other < over);
            let those = self.sums[first..].iter().take_while(|&&((other, _), ..)| other == over);
            let scales = those.map(|&((_, column), cost, hops)| Scale {
                column,
                cost: cost.value() * ticks,
                hops: hops.value() * ticks,
            });
            let scales = scales.filter(|scale| scale.cost > 0.0);
            match into.is_empty() {
                true => into.extend(scales),
                false => scales.for_each(|scale| add(into, scale)),
            }
        }
    }
}

/// Whether what is open `over` waits is open over those of a call path.
fn is_over(over: u32, path: u32) -> bool {
    over == path || over == ALL_PATHS
}

/// Adds a scale to that of its column.
pub(super) fn add(costs: &mut Vec<Scale>, more: Scale) {
    match costs.iter_mut().find(|scale| scale.column == more.column) {
        Some(scale) => {
            scale.cost += more.cost;
            scale.hops += more.hops;
        }
        None => costs.push(more),
    }
}
