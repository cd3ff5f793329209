//! The costs of each wait, by the cells that caused it.

use std::collections::BTreeMap;

use ats_model::CallPathId;

use super::{
    meetings::{At, Causing, Kind, Met, SyncPoint, visit_of},
    path::CriticalPath,
    timeline::{Cell, Lines, Paths, Timeline},
};

/// Costs, in ticks.
#[derive(Debug, Default)]
pub struct Causes {
    paths: Paths,
    /// By what waits, where the delay is.
    pub short_term: BTreeMap<(Kind, Cell), f64>,
    /// The same, through other waits.
    pub long_term: BTreeMap<(Kind, Cell), f64>,
    /// By kind, where the wait is, the part of it that others' waits made.
    pub indirect: BTreeMap<(Kind, Cell), f64>,
    /// By kind, where the wait is, the part of it that made others wait.
    pub propagating: BTreeMap<(Kind, Cell), f64>,
    /// The chain of work that made the run as long as it is.
    pub critical_path: CriticalPath,
    /// The tick of the first event.
    pub begin: u64,
}

impl Causes {
    /// The names of a call path, the outermost first.
    pub fn call_path(&self, path: CallPathId) -> Vec<&str> {
        self.paths.names(path)
    }
}

/// The causes of a wait.
struct Made {
    kind: Kind,
    /// The ticks of the wait that each cell causes directly.
    direct: Vec<(Cell, f64)>,
    /// The waits that made it, and which share of each it takes.
    through: Vec<At>,
    share: f64,
}

pub(super) fn charge(all: Lines, met: &Met, critical_path: CriticalPath) -> Causes {
    let Lines { lines, paths, .. } = all;
    let lines = &lines[..];
    let book = Book { lines, met };
    let made: BTreeMap<At, Made> =
        met.causings.iter().map(|causing| (causing.waits, book.made(causing))).collect();
    let begin = lines.iter().map(Timeline::begin).min().unwrap_or_default();
    let mut causes = Causes { paths, critical_path, begin, ..Causes::default() };
    let origins = origins(&made);
    for (&at, made) in &made {
        let own = (at.0, visit_of(lines, at).path);
        let mut short = BTreeMap::new();
        for &(cell, ticks) in &made.direct {
            *short.entry(cell).or_insert(0.0) += ticks;
            *causes.short_term.entry((made.kind, cell)).or_default() += ticks;
        }
        for (&cell, &ticks) in &origins[&at] {
            let long = ticks - short.get(&cell).copied().unwrap_or_default();
            *causes.long_term.entry((made.kind, cell)).or_default() += long;
        }
        let waited: u64 = made.through.iter().map(|&through| book.point(through).wait).sum();
        *causes.indirect.entry((made.kind, own)).or_default() += made.share * waited as f64;
    }
    idle(&book, &origins, &mut causes);
    let mut largest: BTreeMap<At, f64> = BTreeMap::new();
    // Scalasca follows messages alone.
    for made in made.values().filter(|made| made.kind.is_of_message()) {
        for &through in &made.through {
            let share = largest.entry(through).or_default();
            *share = share.max(made.share);
        }
    }
    for (at, share) in largest {
        if let Some(made) = made.get(&at) {
            let own = (at.0, visit_of(lines, at).path);
            *causes.propagating.entry((made.kind, own)).or_default() += share * book.point(at).wait as f64;
        }
    }
    causes
}

struct Book<'a> {
    lines: &'a [Timeline],
    met: &'a Met,
}

impl Book<'_> {
    fn point(&self, (location, key): At) -> &SyncPoint {
        &self.met.points[location][&key]
    }

    /// The last sync point of a location before this one with another.
    fn before(&self, (location, key): At, with: usize) -> Option<At> {
        let earlier = self.met.points[location].range(..key);
        earlier.rev().find(|(_, point)| point.partners.contains(&with)).map(|(&key, _)| (location, key))
    }

    /// The waits of a location between two of its sync points.
    fn waits(&self, since: Option<At>, (location, now): At) -> impl Iterator<Item = At> {
        let is_since = move |key| since.is_none_or(|(_, since)| key > since);
        let between = self.met.points[location].range(..now);
        let waiting = between.filter(move |&(&key, point)| is_since(key) && point.wait > 0);
        waiting.map(move |(&key, _)| (location, key))
    }

    /// Ticks by path from a sync point to another, without waits.
    fn pruned(&self, since: Option<At>, now: At) -> BTreeMap<CallPathId, u64> {
        let line = &self.lines[now.0];
        let visit = |at| visit_of(self.lines, at);
        let from = since.map_or(line.begin(), |since| visit(since).enter);
        let mut ticks = line.between(from, visit(now).enter);
        for wait in self.waits(since, now) {
            let point = self.point(wait);
            if let Some(ticks) = ticks.get_mut(&visit(wait).path) {
                *ticks = ticks.saturating_sub(point.wait);
            }
        }
        if let Some(since) = since
            && let Some(ticks) = ticks.get_mut(&visit(since).path)
        {
            *ticks = (*ticks + self.point(since).completion).saturating_sub(visit(since).total());
        }
        ticks
    }

    fn made(&self, causing: &Causing) -> Made {
        let (late, waits) = (causing.late, causing.waits);
        let (late_since, waits_since) = (self.before(late, waits.0), self.before(waits, late.0));
        let others = self.pruned(waits_since, waits);
        let more: Vec<(CallPathId, u64)> = self
            .pruned(late_since, late)
            .into_iter()
            .map(|(path, ticks)| (path, ticks.saturating_sub(others.get(&path).copied().unwrap_or_default())))
            .filter(|&(_, ticks)| ticks > 0)
            .collect();
        let through: Vec<At> = self.waits(late_since, late).collect();
        let waited: u64 = through.iter().map(|&wait| self.point(wait).wait).sum();
        let all = more.iter().map(|&(_, ticks)| ticks).sum::<u64>() + waited;
        let wait = self.point(waits).wait as f64;
        let share = if all == 0 { 0.0 } else { wait / all as f64 };
        let share = if causing.kind.is_of_message() { share.min(1.0) } else { share };
        let direct = more.into_iter().map(|(path, ticks)| ((late.0, path), share * ticks as f64)).collect();
        Made { kind: causing.kind, direct, through, share }
    }
}

/// Charges the ticks that main threads work alone, while the others have no team.
fn idle(book: &Book<'_>, origins: &BTreeMap<At, BTreeMap<Cell, f64>>, causes: &mut Causes) {
    for (location, line) in book.lines.iter().enumerate() {
        let others = book.lines.iter().filter(|other| other.rank == line.rank && other.is_worker).count();
        for &(begin, end) in line.serial.iter().filter(|_| others > 0) {
            let mut ticks = line.between(begin, end);
            for (&key, point) in &book.met.points[location] {
                let visit = visit_of(book.lines, (location, key));
                if point.wait == 0 || visit.enter < begin || visit.enter >= end {
                    continue;
                }
                if let Some(ticks) = ticks.get_mut(&visit.path) {
                    *ticks = ticks.saturating_sub(point.wait);
                }
                for (&cell, &ticks) in origins.get(&(location, key)).into_iter().flatten() {
                    *causes.long_term.entry((Kind::OmpIdle, cell)).or_default() += others as f64 * ticks;
                }
            }
            for (path, ticks) in ticks {
                let cost = (others as u64 * ticks) as f64;
                *causes.short_term.entry((Kind::OmpIdle, (location, path))).or_default() += cost;
            }
        }
    }
}

/// The cells that each wait comes from in the end, however many waits are between.
fn origins(made: &BTreeMap<At, Made>) -> BTreeMap<At, BTreeMap<Cell, f64>> {
    let mut origins: BTreeMap<At, BTreeMap<Cell, f64>> = BTreeMap::new();
    for &first in made.keys() {
        let mut open = vec![first];
        while let Some(&at) = open.last() {
            if origins.contains_key(&at) {
                open.pop();
                continue;
            }
            let Some(own) = made.get(&at) else {
                origins.insert(at, BTreeMap::new());
                continue;
            };
            let missing = own.through.iter().find(|through| !origins.contains_key(through));
            // A circle, which only a damaged trace has, is cut.
            if let Some(&missing) = missing.filter(|missing| !open.contains(missing)) {
                open.push(missing);
                continue;
            }
            let mut cells: BTreeMap<Cell, f64> = BTreeMap::new();
            own.direct.iter().for_each(|&(cell, ticks)| *cells.entry(cell).or_default() += ticks);
            for through in &own.through {
                for (&cell, &ticks) in origins.get(through).into_iter().flatten() {
                    *cells.entry(cell).or_default() += own.share * ticks;
                }
            }
            origins.insert(at, cells);
        }
    }
    origins
}
