//! The way backward over the marks: what each delay costs in the end.
//!
//! # Costs
//!
//! A wait costs what it makes others wait in turn. So costs are final only when everything later is known: they are the
//! derivatives of all waits with respect to the delays, and the marks are the tape of reverse-mode differentiation.
//!
//! Going backward, a location has *scales* open over it: for each finding the seconds that a second of its waits costs.
//! A causing opens scales, down to the point since which it is counted. So a wait costs the sum of the scales that are
//! open over it, however long the interval is, and its causer opens scales with these costs in turn. If waits are
//! compared, a scale may be open over the waits of one call path alone.
//!
//! The locations go backward together, by time, so that memory holds the scales that are open right now. A causing needs
//! the costs of its wait: the location that waits goes first, as far as to that.

use std::{cmp::Ordering, collections::BinaryHeap, io};

use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    marks::{Mark, MarkKind, Part, WaitsInPart, WayBack, Ways},
    sums::Position,
};

/// The costs of a delay for a finding, in ticks.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Cost {
    pub(super) short: f64,
    pub(super) long: f64,
    /// The long-term ticks, each times the waits that it has come through.
    pub(super) hops: f64,
}

/// The results of the way backward; in ticks.
#[derive(Debug, Default)]
pub(super) struct Costs {
    /// By location, call path and column.
    pub(super) delays: FxHashMap<(u32, u32, u16), Cost>,
    /// By location, call path and column, where the wait is: the parts that others' waits made.
    pub(super) indirect: FxHashMap<(u32, u32, u16), f64>,
    /// The parts that made others wait in turn: in all, and for messages alone.
    pub(super) propagating: FxHashMap<(u32, u32, u16), (f64, f64)>,
    /// By column, all waits that were come by.
    pub(super) waits: FxHashMap<u16, u64>,
    /// By column, waits without a cause, and costs that come to them.
    pub(super) unattributed: FxHashMap<u16, f64>,
    /// Causes that are waits of what they cause, as only a damaged trace has them.
    pub(super) cycles: u64,
}

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
struct Scale {
    column: u16,
    cost: f64,
    hops: f64,
}

/// A scale that is open down to a position, over the waits of a call path or [`ALL_PATHS`].
#[derive(Clone, Copy, Debug)]
struct Closing {
    since: Position,
    path: u32,
    scale: Scale,
}

/// The waits of all call paths.
const ALL_PATHS: u32 = u32::MAX;

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
struct Open {
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
    fn open(&mut self, since: Position, path: u32, scale: Scale) {
        let Scale { column, cost, hops } = scale;
        let index = self.sums.partition_point(|&(other, ..)| other < (path, column));
        if self.sums.get(index).is_none_or(|&(other, ..)| other != (path, column)) {
            self.sums.insert(index, ((path, column), Exact::default(), Exact::default()));
        }
        self.sums[index].1.add(cost);
        self.sums[index].2.add(hops);
        self.closing.push(Closing { since, path, scale });
    }

    fn share(&mut self, since: Position, path: u32, share: f64, is_of_message: bool) {
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
    fn largest_shares(&self, path: u32) -> [f64; 2] {
        let of_path = self.shares.iter().filter(|(other, _)| is_over(*other, path));
        of_path.fold([0.0; 2], |largest, (_, shares)| {
            [0, 1].map(|which| f64::max(largest[which], shares[which].largest()))
        })
    }

    /// Closes what does not reach down to a position.
    fn close(&mut self, at: Position) {
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
    fn costs(&self, path: u32, ticks: f64, into: &mut Vec<Scale>) {
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
fn add(costs: &mut Vec<Scale>, more: Scale) {
    match costs.iter_mut().find(|scale| scale.column == more.column) {
        Some(scale) => {
            scale.cost += more.cost;
            scale.hops += more.hops;
        }
        None => costs.push(more),
    }
}

/// The part of a wait that no other order of receives would have saved.
fn lateness(wait: &Mark) -> f64 {
    if wait.since == 0 { 1.0 } else { 1.0 - wait.since as f64 / wait.waited as f64 }
}

/// The way backward.
pub(super) struct WayBackward<'a> {
    ways: &'a Ways,
    lines: Vec<WayBack>,
    open: Vec<Open>,
    /// The waits whose causers have come by: they are over when their own locations come to them.
    caused: FxHashSet<(u32, Position)>,
    /// For each column whether it is of messages.
    are_of_messages: Vec<bool>,
    /// For each location the number of threads that are idle while it is outside parallel regions.
    idle: &'a [u32],
    /// The parts of the causing that was taken last.
    more: Vec<Part>,
    /// Its waits, if not all make the location late as long as they are.
    in_part: Vec<WaitsInPart>,
    /// The costs of the wait that is looked at.
    of_wait: Vec<Scale>,
    costs: Costs,
}

impl<'a> WayBackward<'a> {
    pub(super) fn new(ways: &'a Ways, idle: &'a [u32], are_of_messages: Vec<bool>) -> Self {
        WayBackward {
            lines: (0..idle.len()).map(|location| WayBack::new(ways, location)).collect(),
            open: (0..idle.len()).map(|_| Open::default()).collect(),
            caused: FxHashSet::default(),
            ways,
            are_of_messages,
            idle,
            more: Vec::new(),
            in_part: Vec::new(),
            of_wait: Vec::new(),
            costs: Costs::default(),
        }
    }

    /// Goes all the way.
    ///
    /// # Errors
    /// A temporary file cannot be read.
    pub(super) fn go(mut self) -> io::Result<Costs> {
        let mut next = BinaryHeap::new();
        for location in 0..self.lines.len() {
            next.extend(self.next_time(location)?.map(|time| (time, location)));
        }
        while let Some((time, location)) = next.pop() {
            // It may have gone on already, because another one needed it.
            match self.next_time(location)? {
                Some(now) if now == time => self.step(location)?,
                _ => {}
            }
            next.extend(self.next_time(location)?.map(|time| (time, location)));
        }
        Ok(self.costs)
    }

    /// The time of a location's next mark.
    fn next_time(&mut self, location: usize) -> io::Result<Option<u64>> {
        Ok(self.lines[location].peek(self.ways)?.map(|mark| mark.time))
    }

    /// Takes the next mark of a location, and before that those of others that it needs.
    fn step(&mut self, location: usize) -> io::Result<()> {
        // Locations under way, and how far back they have to go.
        let mut under_way: Vec<(usize, Option<Position>)> = Vec::new();
        let mut now = (location, None);
        loop {
            let (location, target) = now;
            let is_there = match target {
                Some(target) => !self.is_after(location, target)?,
                None => false,
            };
            if !is_there {
                let mark = self.lines[location].peek(self.ways)?;
                if let Some(&Mark { kind: MarkKind::CAUSING, other, other_at, .. }) = mark
                    && self.is_after(other as usize, other_at)?
                {
                    let is_under_way = |&(location, _): &(usize, _)| location == other as usize;
                    if !is_under_way(&now) && !under_way.iter().any(is_under_way) {
                        under_way.push(now);
                        now = (other as usize, Some(other_at));
                        continue;
                    }
                    self.costs.cycles += 1;
                }
                self.take(location)?;
            }
            if is_there || target.is_none() {
                let Some(before) = under_way.pop() else { return Ok(()) };
                now = before;
            }
        }
    }

    /// Whether a location still has marks after a position.
    fn is_after(&mut self, location: usize, position: Position) -> io::Result<bool> {
        Ok(self.lines[location].peek(self.ways)?.is_some_and(|mark| mark.at > position))
    }

    fn take(&mut self, location: usize) -> io::Result<()> {
        let Some(mark) = self.lines[location].next(self.ways)? else { return Ok(()) };
        match mark.kind {
            MarkKind::WAIT => self.wait(location, &mark),
            MarkKind::CAUSING => {
                self.lines[location].more(&mark, self.ways, &mut self.more)?;
                self.lines[location].in_part(&mark, self.ways, &mut self.in_part)?;
                self.causing(location, &mark);
            }
            MarkKind::LEFT_OUT => {
                self.lines[location].more(&mark, self.ways, &mut self.more)?;
                self.left_out(location, &mark);
            }
            _ => {}
        }
        Ok(())
    }

    fn wait(&mut self, location: usize, wait: &Mark) {
        let ticks = wait.waited as f64;
        if let Some(column) = wait.column() {
            let waits = self.costs.waits.entry(column).or_default();
            *waits = waits.saturating_add(wait.waited);
        }
        self.open[location].close(wait.at);
        let [all, messages] = self.open[location].largest_shares(wait.path);
        if let Some(column) = wait.column().filter(|_| all > 0.0) {
            let propagating = self.costs.propagating.entry((location as u32, wait.path, column)).or_default();
            // A causer's share of a barrier may be more than all of it.
            propagating.0 += all.min(1.0) * ticks;
            propagating.1 += messages * ticks;
        }
        if wait.since > 0 {
            self.charge_for_order(location, wait);
        }
        if !self.caused.remove(&(location as u32, wait.at)) {
            let late = lateness(wait);
            if let Some(column) = wait.column() {
                *self.costs.unattributed.entry(column).or_default() += late * ticks;
            }
            self.look_at(location, wait);
            for Scale { column, cost, .. } in &self.of_wait {
                *self.costs.unattributed.entry(*column).or_default() += late * cost;
            }
        }
    }

    /// The location itself causes what another order of its receives would have saved.
    fn charge_for_order(&mut self, location: usize, wait: &Mark) {
        let Some(own) = wait.column() else { return };
        self.look_at(location, wait);
        let part = 1.0 - lateness(wait);
        let cell = |column| (location as u32, wait.path, column);
        self.costs.delays.entry(cell(own)).or_default().short += wait.since as f64;
        for &Scale { column, cost, hops } in &self.of_wait {
            let delay = self.costs.delays.entry(cell(column)).or_default();
            delay.long += part * cost;
            delay.hops += part * hops;
        }
    }

    /// Calculates the costs of a wait that the location comes to next.
    fn look_at(&mut self, location: usize, wait: &Mark) {
        let ticks = wait.waited as f64;
        let costs = &mut self.of_wait;
        costs.clear();
        self.open[location].costs(wait.path, ticks, costs);
        if let Some(column) = wait.idle() {
            let cost = f64::from(self.idle[location]) * ticks;
            add(costs, Scale { column, cost, hops: cost });
        }
    }

    /// Threads were left out of a team: they wait for all that the location has done since the fork.
    fn left_out(&mut self, location: usize, mark: &Mark) {
        let (Some(column), ticks) = (mark.column(), mark.other_at) else { return };
        let waits = self.costs.waits.entry(column).or_default();
        *waits = waits.saturating_add(ticks);
        let all = self.more.iter().map(|part| part.ticks as f64).sum::<f64>() + mark.waited as f64;
        if all == 0.0 {
            *self.costs.unattributed.entry(column).or_default() += ticks as f64;
            return;
        }
        let share = ticks as f64 / all;
        for &Part { path, ticks } in &self.more {
            let delay = self.costs.delays.entry((location as u32, path as u32, column)).or_default();
            delay.short += share * ticks as f64;
        }
        if mark.waited > 0 {
            let open = &mut self.open[location];
            open.close(mark.at);
            open.open(mark.since, ALL_PATHS, Scale { column, cost: share, hops: share });
        }
    }

    /// The location that waits is at its wait.
    fn causing(&mut self, location: usize, causing: &Mark) {
        let &Mark { at, since, other: waiter, other_at: position, waited, .. } = causing;
        let waiting = waiter as usize;
        let is_it = |mark: &&Mark| mark.kind == MarkKind::WAIT && mark.at == position;
        let Some(&wait) = self.lines[waiting].last().filter(is_it) else { return };
        let (Some(column), path) = (wait.column(), wait.path) else { return };
        self.open[waiting].close(position);
        self.look_at(waiting, &wait);
        let all = self.more.iter().map(|part| part.ticks as f64).sum::<f64>() + waited as f64;
        let late = lateness(&wait);
        if all == 0.0 || late == 0.0 {
            return;
        }
        self.caused.insert((waiter, position));
        let is_of_message = self.are_of_messages[column as usize];
        let wait = late * wait.waited as f64;
        self.of_wait
            .iter_mut()
            .for_each(|scale| (scale.cost, scale.hops) = (late * scale.cost, late * scale.hops));
        let share = if is_of_message { (wait / all).min(1.0) } else { wait / all };
        if share * all < wait {
            *self.costs.unattributed.entry(column).or_default() += wait - share * all;
        }
        for &Part { path, ticks } in &self.more {
            let path = path as u32;
            let part = ticks as f64 / all;
            self.costs.delays.entry((location as u32, path, column)).or_default().short +=
                share * ticks as f64;
            for &Scale { column, cost, hops } in &self.of_wait {
                let delay = self.costs.delays.entry((location as u32, path, column)).or_default();
                delay.long += part * cost;
                delay.hops += part * hops;
            }
        }
        if waited == 0 {
            return;
        }
        *self.costs.indirect.entry((waiter, path, column)).or_default() += share * waited as f64;
        let open = &mut self.open[location];
        open.close(at);
        for scale in &mut self.of_wait {
            (scale.cost, scale.hops) = (scale.cost / all, (scale.hops + scale.cost) / all);
        }
        add(&mut self.of_wait, Scale { column, cost: share, hops: share });
        let in_part = self.in_part.iter().filter(|waits| waits.more > 0);
        let in_part = in_part.map(|waits| (waits.path as u32, waits.more as f64 / waits.all as f64));
        let all_paths = self.in_part.is_empty().then_some((ALL_PATHS, 1.0));
        for (path, part) in in_part.chain(all_paths) {
            for &Scale { column, cost, hops } in &self.of_wait {
                open.open(since, path, Scale { column, cost: part * cost, hops: part * hops });
            }
            open.share(since, path, part * share, is_of_message);
        }
    }
}
