//! The timeline of each location, in memory.

mod reader;
mod tasks;

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Bound,
};

use ats_model::{
    CallPathId, CallSite, CallTree, Definitions, Event, EventSource,
    event::RegionRef,
    mpi::{Function, Kind},
    openmp::Construct,
};

use super::history::History;

/// A visit of a region; or what passes from a fork to the entry into the parallel region, which is a part of that; or
/// the instant of a lock's release, or of a join.
#[derive(Clone, Copy, Debug)]
pub(super) struct Visit {
    pub(super) enter: u64,
    pub(super) leave: u64,
    pub(super) path: CallPathId,
    pub(super) function: Option<Function>,
    /// Whether its location is the main thread, outside of teams.
    pub(super) is_serial: bool,
}

impl Visit {
    pub(super) fn total(&self) -> u64 {
        self.leave.saturating_sub(self.enter)
    }

    pub(super) fn is(&self, kind: fn(Kind) -> bool) -> bool {
        self.function.is_some_and(|function| kind(function.kind()))
    }
}

/// A location: its visits in the order of their entries, its other events with the visit around them, and which path
/// its time was spent in.
#[derive(Debug, Default)]
pub(super) struct Timeline {
    pub(super) rank: u32,
    /// Whether it is the first thread of its process.
    pub(super) is_main: bool,
    /// Whether it does something outside of teams, though it is not the main thread.
    has_own_work: bool,
    pub(super) visits: Vec<Visit>,
    pub(super) events: Vec<(u64, Event, usize)>,
    /// What it does with locks.
    pub(super) locks: Vec<LockStep>,
    /// Ticks in each path, by the number of visits that were entered before.
    spent: History<CallPathId, usize, u64>,
    /// Ticks of the main thread in each path, outside of teams.
    pub(super) serial: BTreeMap<CallPathId, u64>,
    /// The time of its first event.
    pub(super) begin: Option<u64>,
    pub(super) end: u64,
}

impl Timeline {
    /// Ticks in each path from the begin of a visit to that of another, what is inside it not counted; without the visits
    /// from the begin or to the end of the location.
    pub(super) fn between(
        &self,
        from: Option<usize>,
        to: Option<usize>,
    ) -> impl Iterator<Item = (CallPathId, u64)> {
        let from = from.map_or(Bound::Unbounded, Bound::Excluded);
        self.spent.within((from, to.map_or(Bound::Unbounded, Bound::Included)))
    }
}

/// A lock is acquired or given back.
#[derive(Clone, Copy, Debug)]
pub(super) struct LockStep {
    pub(super) time: u64,
    pub(super) lock: u32,
    /// The number of the acquisition.
    pub(super) order: u32,
    pub(super) does: LockUse,
    /// Whether it happens in a task inside a barrier.
    pub(super) is_in_barrier: bool,
}

/// The two uses of a lock.
#[derive(Clone, Copy, Debug)]
pub(super) enum LockUse {
    /// It is acquired in the visit of a construct.
    Acquire(Option<(usize, Construct)>),
    /// It is given back, which is a visit of its own.
    Release(usize),
}

/// A team, from its fork to its join.
#[derive(Debug, Default)]
pub(super) struct Team {
    fork: u64,
    /// The time of its join, and the visit of its starter that this is.
    join: Option<(u64, usize)>,
    /// The call path of the fork.
    base: Option<CallPathId>,
    /// The location that started it, and the team that it was in.
    starter: Option<(usize, Option<usize>)>,
    /// Of each member, location and the visit from the fork on.
    pub(super) members: Vec<(usize, usize)>,
    /// Of each of its barriers, the members' parts.
    pub(super) barriers: Vec<Vec<Part>>,
}

impl Team {
    /// The member that started it, and its visit from the fork on.
    pub(super) fn master(&self) -> Option<(usize, usize)> {
        let (starter, _) = self.starter?;
        self.members.iter().copied().find(|&(location, _)| location == starter)
    }
}

/// A team without all threads of its process.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limited {
    /// The location that started it.
    pub(super) location: usize,
    /// Its visits at the fork and at the join.
    pub(super) since: usize,
    pub(super) until: usize,
    /// Ticks of all the others from the fork to the join, outside of teams.
    pub(super) ticks: u64,
}

/// The part of a thread in a barrier.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    pub(super) location: usize,
    pub(super) visit: usize,
    /// Ticks in explicit tasks meanwhile.
    pub(super) in_tasks: u64,
}

/// All that is known of a trace.
#[derive(Debug, Default)]
pub(super) struct Lines {
    pub(super) lines: Vec<Timeline>,
    pub(super) teams: Vec<Team>,
    pub(super) paths: Paths,
    /// The teams that each location was in, outside of all others that it was in.
    outermost: Vec<Vec<usize>>,
}

impl Lines {
    /// The threads that are idle while the main thread of a process is outside of teams: all others, but those
    /// with work of their own, be it in teams that the main thread has not started.
    pub(super) fn idle_threads(&self, rank: u32) -> impl Iterator<Item = usize> {
        let is_idle = move |&(location, line): &(usize, &Timeline)| {
            let is_of_main = |&team: &usize| self.lines[self.origin(team)].is_main;
            !self.teams.is_empty()
                && !line.is_main
                && !line.has_own_work
                && self.outermost[location].iter().all(is_of_main)
        };
        self.lines
            .iter()
            .enumerate()
            .filter(move |(_, line)| line.rank == rank)
            .filter(is_idle)
            .map(|(at, _)| at)
    }

    /// The teams that main threads start outside of others, without some of the threads that are idle at other times.
    pub(super) fn limited(&self) -> impl Iterator<Item = Limited> {
        self.teams.iter().enumerate().filter_map(|(number, team)| {
            let (starter, None) = team.starter? else { return None };
            let main = &self.lines[starter];
            let ((_, since), (join, until)) = (team.master().filter(|_| main.is_main)?, team.join?);
            let is_out = |&thread: &usize| team.members.iter().all(|&(member, _)| member != thread);
            let ticks = self.idle_threads(main.rank).filter(is_out).map(|thread| {
                let elsewhere =
                    self.outermost[thread].iter().filter(|&&inner| self.outermost_of(inner) == number);
                let spent = elsewhere.map(|&inner| &self.teams[inner]).map(|inner| {
                    inner.join.map_or(0, |(join, _)| join.saturating_sub(inner.fork.max(team.fork)))
                });
                join.saturating_sub(team.fork).saturating_sub(spent.sum())
            });
            let ticks = ticks.sum();
            (ticks > 0).then_some(Limited { location: starter, since, until, ticks })
        })
    }

    /// The outermost of the teams around a team.
    fn outermost_of(&self, mut team: usize) -> usize {
        while let Some((_, Some(outer))) = self.teams[team].starter {
            team = outer;
        }
        team
    }

    /// The location that started the outermost of the teams around a team.
    fn origin(&self, team: usize) -> usize {
        let mut origin = self.teams[team].members.first().map_or(0, |&(location, _)| location);
        let mut around = Some(team);
        while let Some((starter, outer)) = around.and_then(|around| self.teams[around].starter) {
            (origin, around) = (starter, outer);
        }
        origin
    }
}

/// A call path of a location.
pub type Cell = (usize, CallPathId);

/// Names and call sites of regions, for comparing paths of different locations.
#[derive(Debug, Default)]
pub(super) struct Paths {
    regions: Vec<(String, Option<CallSite>)>,
    tree: CallTree<RegionRef>,
}

impl Paths {
    /// The names on a call path, the outermost first, and its call site.
    pub(super) fn called(&self, path: CallPathId) -> (Vec<&str>, Option<&CallSite>) {
        let path = self.tree.path(path);
        let called: Vec<_> = path.into_iter().map(|region| &self.regions[region.0 as usize]).collect();
        let site = called.iter().rev().find_map(|(_, site)| site.as_ref());
        (called.into_iter().map(|(name, _)| name.as_str()).collect(), site)
    }
}

/// Reads a trace, who starts a team before its other members.
pub(super) fn read<S: EventSource>(trace: &S) -> Result<Lines, S::Error> {
    let definitions = trace.definitions();
    let mut reader = reader::Reader::new(definitions);
    for location in masters_first(definitions) {
        reader.begin(location, definitions);
        trace.read_location(location, |time, event| reader.take(time, event))?;
        reader.end();
    }
    Ok(reader.all)
}

/// The locations, each after the first members of its teams, as far as there is such an order.
fn masters_first(definitions: &Definitions) -> Vec<usize> {
    let locations = definitions.locations.len();
    let mut masters: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); locations];
    for team in &definitions.teams {
        let Some((&master, others)) = team.members.split_first() else { continue };
        for &member in others.iter().filter(|&&member| (member.max(master) as usize) < locations) {
            masters[member as usize].insert(master as usize);
        }
    }
    let mut by_thread: Vec<usize> = (0..locations).collect();
    by_thread.sort_by_key(|&location| definitions.locations[location].thread);
    let (mut order, mut is_asked) = (Vec::new(), vec![false; locations]);
    for first in by_thread {
        let mut open = vec![first];
        while let Some(&location) = open.last() {
            if !std::mem::replace(&mut is_asked[location], true) {
                open.extend(masters[location].iter().filter(|&&master| !is_asked[master]));
            } else {
                open.pop();
                order.push(location);
            }
        }
    }
    let mut is_read = vec![false; locations];
    order.retain(|&location| !std::mem::replace(&mut is_read[location], true));
    order
}
