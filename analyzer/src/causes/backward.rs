//! The way backward over the marks: what each delay costs in the end.
//!
//! # Costs
//!
//! A wait costs what it makes others wait in turn. So costs are final only when everything later is known: they are the
//! derivatives of all waits with respect to the delays, and the marks are the tape of reverse-mode differentiation.
//!
//! Going backward, a location has *scales* open over it: for each finding the seconds that a second of its waits costs.
//! A causing opens scales, down to the point since which it is counted. So a wait costs the sum of the scales that are
//! open over it, however long the interval is, and its causer opens scales with these costs in turn.
//!
//! The locations go backward together, by time, so that memory holds the scales that are open right now. A causing needs
//! the costs of its wait: the location that waits goes first, as far as to that.

use std::{collections::BTreeMap, collections::BinaryHeap, io};

use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    forward::{Causing, Mark, Wait},
    spool::{Backward, Spool},
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

/// The scales that are open over a location.
#[derive(Debug, Default)]
struct Open {
    sums: BTreeMap<u16, (Exact, Exact)>,
    /// The scales, by the position of their end.
    closing: BTreeMap<Position, Vec<Scale>>,
    /// The largest shares of waits that a causer takes, by the end of its interval: of all waits, and of
    /// those for messages alone. A share is omitted if another one is as large and reaches as far.
    shares: [BTreeMap<Position, f64>; 2],
}

impl Open {
    fn open(&mut self, since: Position, scales: Vec<Scale>, share: f64, is_of_message: bool) {
        for &Scale { column, cost, hops } in &scales {
            let sum = self.sums.entry(column).or_default();
            sum.0.add(cost);
            sum.1.add(hops);
        }
        self.closing.entry(since).or_default().extend(scales);
        for shares in &mut self.shares[..1 + usize::from(is_of_message)] {
            if shares.range(..=since).any(|(_, &other)| other >= share) {
                continue;
            }
            shares.retain(|&other, &mut smaller| other < since || smaller > share);
            shares.insert(since, share);
        }
    }

    /// Closes what does not reach down to a position.
    fn close(&mut self, at: Position) {
        while let Some(entry) = self.closing.last_entry().filter(|entry| *entry.key() >= at) {
            for Scale { column, cost, hops } in entry.remove() {
                if let Some(sum) = self.sums.get_mut(&column) {
                    sum.0.add(-cost);
                    sum.1.add(-hops);
                }
            }
        }
        if self.closing.is_empty() {
            self.sums.clear();
        }
        for shares in &mut self.shares {
            while shares.last_entry().filter(|entry| *entry.key() >= at).map(|entry| entry.remove()).is_some()
            {
            }
        }
    }

    /// The costs of a wait.
    fn costs(&self, ticks: f64) -> impl Iterator<Item = Scale> {
        let costs = self.sums.iter().map(move |(&column, (cost, hops))| Scale {
            column,
            cost: cost.value() * ticks,
            hops: hops.value() * ticks,
        });
        costs.filter(|scale| scale.cost > 0.0)
    }

    /// The largest share of a wait that a causer takes: of all, and of messages alone.
    fn largest_shares(&self) -> [f64; 2] {
        let largest = |of: &BTreeMap<Position, f64>| of.values().copied().fold(0.0, f64::max);
        [largest(&self.shares[0]), largest(&self.shares[1])]
    }
}

/// The way backward.
pub(super) struct WayBackward<'a> {
    marks: &'a mut Spool,
    lines: Vec<Backward<Mark>>,
    open: Vec<Open>,
    /// The waits whose causers have come by: they are over when their own locations come to them.
    caused: FxHashSet<(u32, Position)>,
    /// For each column whether it is of messages.
    are_of_messages: Vec<bool>,
    /// For each location the number of threads that are idle while it is outside parallel regions.
    idle: &'a [u32],
    costs: Costs,
}

impl<'a> WayBackward<'a> {
    pub(super) fn new(marks: &'a mut Spool, idle: &'a [u32], are_of_messages: Vec<bool>) -> Self {
        let lines: Vec<_> = (0..idle.len()).map(|stream| Backward::new(marks, stream)).collect();
        let open = lines.iter().map(|_| Open::default()).collect();
        let (caused, costs) = (FxHashSet::default(), Costs::default());
        WayBackward { marks, lines, open, caused, are_of_messages, idle, costs }
    }

    /// Goes all the way.
    ///
    /// # Errors
    /// The temporary file cannot be read.
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

    /// When the next mark of a location is that is not merely time.
    fn next_time(&mut self, location: usize) -> io::Result<Option<u64>> {
        let line = &mut self.lines[location];
        loop {
            match line.peek(self.marks)? {
                None => return Ok(None),
                Some(mark) => match mark.time() {
                    Some(time) => return Ok(Some(time)),
                    None => line.next(self.marks)?,
                },
            };
        }
    }

    /// Takes the next mark of a location, and before that those of others that it needs.
    fn step(&mut self, location: usize) -> io::Result<()> {
        // Locations under way, and how far back they have to go.
        let mut under_way: Vec<(usize, Option<Position>)> = vec![(location, None)];
        while let Some(&(location, target)) = under_way.last() {
            let is_there = match target {
                Some(target) => !self.is_after(location, target)?,
                None => false,
            };
            if is_there {
                under_way.pop();
                continue;
            }
            if let Some(Mark::Causing(causing)) = self.lines[location].peek(self.marks)? {
                let (waits, position) = (causing.waits.0 as usize, causing.waits.1);
                if self.is_after(waits, position)? {
                    if under_way.iter().all(|&(other, _)| other != waits) {
                        under_way.push((waits, Some(position)));
                        continue;
                    }
                    self.costs.cycles += 1;
                }
            }
            self.take(location)?;
            if target.is_none() {
                under_way.pop();
            }
        }
        Ok(())
    }

    /// Whether a location still has marks after a position.
    fn is_after(&mut self, location: usize, position: Position) -> io::Result<bool> {
        self.next_time(location)?;
        let mark = self.lines[location].last();
        Ok(mark.and_then(Mark::at).is_some_and(|at| at > position))
    }

    fn take(&mut self, location: usize) -> io::Result<()> {
        match self.lines[location].next(self.marks)? {
            Some(Mark::Wait(wait)) => self.wait(location, wait),
            Some(Mark::Causing(causing)) => self.causing(location, causing),
            Some(Mark::Turn { .. } | Mark::Spell { .. }) | None => {}
        }
        Ok(())
    }

    fn wait(&mut self, location: usize, wait: Wait) {
        let ticks = wait.ticks as f64;
        if let Some(column) = wait.column {
            let waits = self.costs.waits.entry(column).or_default();
            *waits = waits.saturating_add(wait.ticks);
        }
        self.open[location].close(wait.at);
        let [all, messages] = self.open[location].largest_shares();
        if let Some(column) = wait.column.filter(|_| all > 0.0) {
            let propagating = self.costs.propagating.entry((location as u32, wait.path, column)).or_default();
            // A causer's share of a barrier may be more than all of it.
            propagating.0 += all.min(1.0) * ticks;
            propagating.1 += messages * ticks;
        }
        if !self.caused.remove(&(location as u32, wait.at)) {
            if let Some(column) = wait.column {
                *self.costs.unattributed.entry(column).or_default() += ticks;
            }
            for Scale { column, cost, .. } in self.costs_of(location, &wait) {
                *self.costs.unattributed.entry(column).or_default() += cost;
            }
        }
    }

    /// The costs of a wait that the location comes to next.
    fn costs_of(&self, location: usize, wait: &Wait) -> Vec<Scale> {
        let ticks = wait.ticks as f64;
        let mut costs: Vec<Scale> = self.open[location].costs(ticks).collect();
        if let Some(column) = wait.idle {
            let cost = f64::from(self.idle[location]) * ticks;
            match costs.iter_mut().find(|scale| scale.column == column) {
                Some(scale) => {
                    scale.cost += cost;
                    scale.hops += cost;
                }
                None => costs.push(Scale { column, cost, hops: cost }),
            }
        }
        costs
    }

    /// The location that waits is at its wait.
    fn causing(&mut self, location: usize, causing: Causing) {
        let Causing { at, since, waits: (waiter, position), wait, column, path, more, waited, .. } = causing;
        let waiting = waiter as usize;
        let is_there = |mark: &Mark| match mark {
            Mark::Wait(wait) if wait.at == position => Some(*wait),
            _ => None,
        };
        let Some(x) = self.lines[waiting].last().and_then(is_there) else { return };
        self.open[waiting].close(position);
        let costs = self.costs_of(waiting, &x);
        let all = more.iter().map(|&(_, ticks)| ticks as f64).sum::<f64>() + waited as f64;
        if all == 0.0 {
            return;
        }
        self.caused.insert((waiter, position));
        let is_of_message = self.are_of_messages[column as usize];
        let wait = wait as f64;
        let share = if is_of_message { (wait / all).min(1.0) } else { wait / all };
        if share * all < wait {
            *self.costs.unattributed.entry(column).or_default() += wait - share * all;
        }
        for (path, ticks) in more {
            let part = ticks as f64 / all;
            let cell = (location as u32, path, column);
            self.costs.delays.entry(cell).or_default().short += share * ticks as f64;
            for &Scale { column, cost, hops } in &costs {
                let delay = self.costs.delays.entry((location as u32, path, column)).or_default();
                delay.long += part * cost;
                delay.hops += part * hops;
            }
        }
        if waited == 0 {
            return;
        }
        *self.costs.indirect.entry((waiter, path, column)).or_default() += share * waited as f64;
        let through = |scale: &Scale| Scale {
            column: scale.column,
            cost: scale.cost / all,
            hops: (scale.hops + scale.cost) / all,
        };
        let mut scales: Vec<Scale> = costs.iter().map(through).collect();
        match scales.iter_mut().find(|scale| scale.column == column) {
            Some(scale) => {
                scale.cost += share;
                scale.hops += share;
            }
            None => scales.push(Scale { column, cost: share, hops: share }),
        }
        self.open[location].close(at);
        self.open[location].open(since, scales, share, is_of_message);
    }
}
