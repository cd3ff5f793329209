//! The costs of each wait, by the cells that caused it.

mod limited;
mod order;

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Bound,
};

use ats_model::{
    CallPathId, CallSite,
    delay::{Delay, Extent},
};

use super::{
    history::History,
    meetings::{At, Causing, Key, Met, SyncPoint, visit_of},
    path::CriticalPath,
    timeline::{Cell, Lines, Paths, Visit},
};

/// Costs, in ticks.
///
/// The short-term and the long-term costs of a kind and what is unattributed add up to its waits.
#[derive(Debug, Default)]
pub struct Causes {
    paths: Paths,
    /// The waits whose causes they are.
    pub extent: Extent,
    /// By what waits, where the delay is.
    pub short_term: BTreeMap<(Delay, Cell), f64>,
    /// The same, through other waits.
    pub long_term: BTreeMap<(Delay, Cell), f64>,
    /// By kind, where the wait is, the part of it that others' waits made.
    pub indirect: BTreeMap<(Delay, Cell), f64>,
    /// By kind, where the wait is, the part of it that made others wait.
    pub propagating: BTreeMap<(Delay, Cell), f64>,
    /// The same, by messages alone, as Scalasca computes it.
    pub propagating_by_messages: BTreeMap<(Delay, Cell), f64>,
    /// By kind, where the wait is, the part of it that has no cause.
    pub unattributed: BTreeMap<(Delay, Cell), f64>,
    /// The chain of work that made the run as long as it is.
    pub critical_path: CriticalPath,
    /// The tick of the first event.
    pub begin: u64,
}

impl Causes {
    /// The names on a call path, the outermost first, and its call site.
    pub fn call_path(&self, path: CallPathId) -> (Vec<&str>, Option<&CallSite>) {
        self.paths.called(path)
    }
}

pub(super) fn charge(all: Lines, met: &Met, extent: Extent, critical_path: CriticalPath) -> Causes {
    let mut book = Book::new(&all, met, extent);
    for at in order::causes_first(met, &book.waits) {
        book.charge(at);
    }
    book.idle();
    if extent == Extent::All {
        book.limited();
    }
    book.propagating();
    let mut causes = book.causes;
    for &(kind, cell, ticks) in &met.nowhere {
        *causes.unattributed.entry((kind, cell)).or_default() += ticks as f64;
    }
    let begin = all.lines.iter().filter_map(|line| line.begin).min().unwrap_or_default();
    Causes { paths: all.paths, extent, critical_path, begin, ..causes }
}

/// A cell; none for ticks without a cause.
type Origin = Option<Cell>;

/// An interval between sync points, without these.
type Between = (Bound<Key>, Bound<Key>);

/// A location was late, and its waits in a call path in an interval are a part of the reason.
struct Late {
    location: usize,
    path: CallPathId,
    between: Between,
    /// The part of each of these waits that others waited again.
    share: f64,
    is_of_message: bool,
}

struct Book<'a> {
    all: &'a Lines,
    met: &'a Met,
    extent: Extent,
    causing: BTreeMap<At, Causing>,
    /// The waits of each location, by their sync points.
    waits: Vec<BTreeSet<Key>>,
    /// The waits of each location, by call path, in ticks.
    waited: Vec<History<CallPathId, Key, u64>>,
    /// The waits of each location, by call path and by the cells that cause them in the end, through other waits or not;
    /// in ticks.
    origins: Vec<History<(CallPathId, Origin), Key, f64>>,
    late: Vec<Late>,
    causes: Causes,
}

impl<'a> Book<'a> {
    fn new(all: &'a Lines, met: &'a Met, extent: Extent) -> Self {
        let waiting = |points: &BTreeMap<Key, SyncPoint>| {
            points.iter().filter(|(_, point)| point.wait > 0).map(|(&key, _)| key).collect()
        };
        let mut waited = vec![History::default(); all.lines.len()];
        for (location, points) in met.points.iter().enumerate() {
            for (&key, point) in points.iter().filter(|(_, point)| point.wait > 0) {
                waited[location].add(visit_of(&all.lines, (location, key)).path, key, point.wait);
            }
        }
        Book {
            all,
            met,
            extent,
            causing: met.causings.iter().map(|&causing| (causing.waits, causing)).collect(),
            waits: met.points.iter().map(waiting).collect(),
            waited,
            origins: vec![History::default(); all.lines.len()],
            late: Vec::new(),
            causes: Causes::default(),
        }
    }

    fn visit(&self, at: At) -> &'a Visit {
        visit_of(&self.all.lines, at)
    }

    fn point(&self, (location, key): At) -> &'a SyncPoint {
        &self.met.points[location][&key]
    }

    /// The last sync point of a location before this one with another.
    fn before(&self, (location, key): At, with: usize) -> Option<Key> {
        let earlier = self.met.points[location].range(..key);
        earlier.rev().find(|(_, point)| point.partners.contains(&with)).map(|(&key, _)| key)
    }

    /// The ticks of the call at a sync point, or only those of the wait if that is for a lock.
    fn total(&self, at: At) -> u64 {
        match self
            .causing
            .get(&at)
            .is_some_and(|causing| matches!(causing.kind, Delay::OmpCritical | Delay::OmpLock))
        {
            true => self.point(at).wait,
            false => self.visit(at).total(),
        }
    }

    /// Ticks by path from a sync point to another, without waits.
    fn pruned(&self, since: Option<Key>, now: At) -> BTreeMap<CallPathId, u64> {
        let location = now.0;
        let since = since.map(|since| (location, since));
        let own =
            since.map(|since| (self.visit(since).path, self.total(since), self.point(since).completion));
        let interval = between(since, now);
        let (from, to) = (since.map(|(_, (visit, _))| visit), now.1.0);
        let spent = self.all.lines[location].between(from, Some(to));
        let pruned = spent.map(|(path, ticks)| {
            let ticks = ticks.saturating_sub(self.waited[location].amount(path, &interval));
            match own.filter(|&(of_call, ..)| of_call == path) {
                Some((_, total, completion)) => (path, (ticks + completion).saturating_sub(total)),
                None => (path, ticks),
            }
        });
        pruned.collect()
    }

    /// The ticks that a late location has waited in an interval more than the one that waits for it, by call path, and the
    /// part of its waits there.
    fn waited_more(&self, late: At, since: Between, waits: At) -> BTreeMap<CallPathId, (f64, f64)> {
        let before = self.before(waits, late.0).map(|before| (waits.0, before));
        let of_other = between(before, waits);
        let more = self.waited[late.0].within(since).map(|(path, ticks)| {
            // Scalasca does not compare waits.
            let common = match self.extent {
                Extent::Scalasca => 0,
                Extent::All => self.waited[waits.0].amount(path, &of_other),
            };
            let more = ticks.saturating_sub(common) as f64;
            (path, (more, more / ticks as f64))
        });
        more.filter(|&(_, (more, _))| more > 0.0).collect()
    }

    /// Charges a wait to its causes; those of the waits before it are known.
    fn charge(&mut self, waits: At) {
        let own = (waits.0, self.visit(waits).path);
        let saved = self.met.saved.get(&waits).map_or(0.0, |&ticks| ticks as f64);
        let wait = self.point(waits).wait as f64 - saved;
        if saved > 0.0 {
            *self.causes.short_term.entry((Delay::LateSender, own)).or_default() += saved;
            self.origins[waits.0].add((own.1, Some(own)), waits.1, saved);
        }
        let causing = self.causing.get(&waits).copied();
        let Some(Causing { kind, late, .. }) = causing else {
            self.origins[waits.0].add((own.1, None), waits.1, wait);
            return;
        };
        let since = self.before(late, waits.0);
        let others = self.pruned(self.before(waits, late.0), waits);
        let more = self.pruned(since, late).into_iter().map(|(path, ticks)| {
            ((late.0, path), ticks.saturating_sub(others.get(&path).copied().unwrap_or_default()) as f64)
        });
        let more: Vec<(Cell, f64)> = more.filter(|&(_, ticks)| ticks > 0.0).collect();
        let between = between(since.map(|since| (late.0, since)), late);
        let waited_more = self.waited_more(late, between, waits);
        let waited = waited_more.values().map(|(ticks, _)| ticks).sum::<f64>();
        let all = more.iter().map(|(_, ticks)| ticks).sum::<f64>() + waited;
        if all == 0.0 {
            self.origins[waits.0].add((own.1, None), waits.1, wait);
            *self.causes.unattributed.entry((kind, own)).or_default() += wait;
            return;
        }
        // Nobody waits longer for a message than its other end is late: the rest has no cause. What the wait costs in
        // turn is divided by the same parts.
        let is_of_message = kind.is_of_message();
        let share = if is_of_message { (wait / all).min(1.0) } else { wait / all };
        let Book { origins, causes, .. } = self;
        let mut origin: BTreeMap<Origin, f64> = BTreeMap::new();
        for &(cell, ticks) in &more {
            *causes.short_term.entry((kind, cell)).or_default() += share * ticks;
            *origin.entry(Some(cell)).or_default() += wait / all * ticks;
        }
        for ((path, cell), ticks) in origins[late.0].within(between) {
            let Some(&(_, part)) = waited_more.get(&path) else { continue };
            let ticks = part * ticks;
            match cell {
                Some(cell) => *causes.long_term.entry((kind, cell)).or_default() += share * ticks,
                None => *causes.unattributed.entry((kind, own)).or_default() += share * ticks,
            }
            *origin.entry(cell).or_default() += wait / all * ticks;
        }
        origin.into_iter().for_each(|(cell, ticks)| origins[waits.0].add((own.1, cell), waits.1, ticks));
        *causes.unattributed.entry((kind, own)).or_default() += (wait - share * all).max(0.0);
        *causes.indirect.entry((kind, own)).or_default() += share * waited;
        self.late.extend(waited_more.into_iter().map(|(path, (_, part))| {
            let share = part * share;
            Late { location: late.0, path, between, share, is_of_message }
        }));
    }

    /// Charges the ticks that main threads are outside of teams, once for each thread that is idle meanwhile.
    fn idle(&mut self) {
        for (location, line) in self.all.lines.iter().enumerate().filter(|(_, line)| line.is_main) {
            let idle = self.all.idle_threads(line.rank).count() as f64;
            if idle == 0.0 {
                continue;
            }
            let mut ticks = line.serial.clone();
            for &key in &self.waits[location] {
                let visit = self.visit((location, key));
                if !visit.is_serial {
                    continue;
                }
                let of_path = ticks.entry(visit.path).or_default();
                let wait = self.point((location, key)).wait;
                *of_path = of_path.saturating_sub(wait);
                let own = (Delay::OmpIdle, (location, visit.path));
                *self.causes.indirect.entry(own).or_default() += idle * wait as f64;
                for ((_, cell), ticks) in self.origins[location].within(key..=key) {
                    match cell {
                        Some(cell) => {
                            *self.causes.long_term.entry((Delay::OmpIdle, cell)).or_default() += idle * ticks;
                        }
                        None => *self.causes.unattributed.entry(own).or_default() += idle * ticks,
                    }
                }
            }
            for (path, ticks) in ticks {
                let cost = idle * ticks as f64;
                *self.causes.short_term.entry((Delay::OmpIdle, (location, path))).or_default() += cost;
            }
        }
    }

    /// Finds the largest part of each wait that others waited again.
    fn propagating(&mut self) {
        let Book { late, waits, causing, causes, .. } = self;
        late.sort_by(|a, b| b.share.total_cmp(&a.share));
        let (mut of_all, mut of_messages) = (waits.clone(), waits.clone());
        let mut shares: Vec<(bool, At, f64)> = Vec::new();
        for &Late { location, path, between, share, is_of_message } in &*late {
            // A collective operation may take more than all of it.
            let share = share.min(1.0);
            let is_there = |key: &Key| visit_of(&self.all.lines, (location, *key)).path == path;
            let all = take(&mut of_all[location], between, is_there).into_iter();
            shares.extend(all.map(|key| (false, (location, key), share)));
            if is_of_message {
                let messages = take(&mut of_messages[location], between, is_there).into_iter();
                shares.extend(messages.map(|key| (true, (location, key), share)));
            }
        }
        for (by_messages, at, share) in shares {
            let Some(Causing { kind, .. }) = causing.get(&at) else { continue };
            let (location, key) = at;
            let wait = self.met.points[location][&key].wait as f64;
            let own = (*kind, (location, visit_of(&self.all.lines, at).path));
            let of = if by_messages { &mut causes.propagating_by_messages } else { &mut causes.propagating };
            *of.entry(own).or_default() += share * wait;
        }
    }
}

fn between(since: Option<At>, now: At) -> Between {
    (since.map_or(Bound::Unbounded, |(_, since)| Bound::Excluded(since)), Bound::Excluded(now.1))
}

/// Takes the keys of a kind in an interval out.
fn take(keys: &mut BTreeSet<Key>, between: Between, is_one: impl Fn(&Key) -> bool) -> Vec<Key> {
    let inside: Vec<Key> = keys.range(between).copied().filter(is_one).collect();
    for key in &inside {
        keys.remove(key);
    }
    inside
}
