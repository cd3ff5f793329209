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

use std::{collections::BinaryHeap, io};

use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    marks::{Mark, MarkKind, Part, WaitsInPart, WayBack, Ways},
    scales::{ALL_PATHS, Open, Scale, add},
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
            *self.costs.indirect.entry((location as u32, mark.path, column)).or_default() +=
                share * mark.waited as f64;
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
