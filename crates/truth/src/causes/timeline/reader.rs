//! The way from events to timelines.

use std::collections::BTreeMap;

use ats_model::{
    CallPathId, CallTree, Definitions, Event,
    definitions::{LocationDefinition, Region},
    event::{RegionRef, TeamRef},
    mpi::Function,
    openmp::Construct,
};

use super::{Lines, LockStep, LockUse, Part, Paths, Team, Timeline, Visit, tasks::Tasks};

/// A reader of one location after another.
pub(super) struct Reader {
    functions: Vec<Option<Function>>,
    constructs: Vec<Option<Construct>>,
    /// The first region of its name and call site.
    same: Vec<RegionRef>,
    /// By team and how many of it the location had before.
    teams: BTreeMap<(TeamRef, usize), usize>,
    pub(super) all: Lines,
    location: usize,
    line: Timeline,
    /// Its call path, none outside teams; the time since it is there, and the number of visits entered before.
    here: (Option<CallPathId>, u64, usize),
    /// Whether the location has no event yet.
    is_before_all: bool,
    open: Vec<Open>,
    /// The fork whose team has not begun.
    fork: Option<u64>,
    /// Of each fork without a join, the team that began with it.
    started: Vec<Option<usize>>,
    /// Forks without a join, and parallel regions that are not left.
    forks: usize,
    regions: usize,
    begun: BTreeMap<TeamRef, usize>,
    /// The teams that it is in, the innermost last.
    inside: Vec<Inside>,
    /// Whether it is the main thread, outside of teams.
    is_serial: bool,
}

/// A visit that is not left.
struct Open {
    visit: usize,
    construct: Option<Construct>,
    /// The barrier that it is: number in its team, index of the thread's part, and ticks in tasks before it.
    barrier: Option<(usize, usize, u64)>,
}

/// The part of a location in a team.
struct Inside {
    team: usize,
    /// The number of visits that were open when it began.
    depth: usize,
    /// The parallel region, once it is entered.
    region: Option<CallPathId>,
    /// The number of its barriers so far.
    barriers: usize,
    starts_it: bool,
    tasks: Tasks,
}

impl Reader {
    pub(super) fn new(definitions: &Definitions) -> Self {
        let regions = &definitions.regions;
        let mut first = BTreeMap::new();
        let called = |region: &Region| (region.name.clone(), region.call_site.clone());
        let same = (0..).zip(regions).map(|(at, of)| *first.entry(called(of)).or_insert(RegionRef(at)));
        let same = same.collect();
        let regions_called = regions.iter().map(called).collect();
        Reader {
            functions: regions.iter().map(|region| Function::of_spelling(&region.name)).collect(),
            constructs: regions.iter().map(|region| Construct::of_region(&region.name)).collect(),
            same,
            teams: BTreeMap::new(),
            all: Lines {
                lines: definitions.locations.iter().map(|_| Timeline::default()).collect(),
                outermost: vec![Vec::new(); definitions.locations.len()],
                teams: Vec::new(),
                paths: Paths { regions: regions_called, tree: CallTree::default() },
            },
            location: 0,
            line: Timeline::default(),
            here: (None, 0, 0),
            is_before_all: true,
            open: Vec::new(),
            fork: None,
            started: Vec::new(),
            forks: 0,
            regions: 0,
            begun: BTreeMap::new(),
            inside: Vec::new(),
            is_serial: false,
        }
    }

    pub(super) fn begin(&mut self, location: usize, definitions: &Definitions) {
        let LocationDefinition { rank, thread, .. } = definitions.locations[location];
        self.location = location;
        self.line = Timeline { rank, is_main: thread == 0, ..Timeline::default() };
        self.is_before_all = true;
    }

    pub(super) fn end(&mut self) {
        let end = self.line.end;
        self.go(end, None);
        while !self.open.is_empty() {
            self.leave(end);
        }
        self.inside.clear();
        self.begun.clear();
        self.started.clear();
        (self.fork, self.forks, self.regions, self.is_serial) = (None, 0, 0, false);
        self.all.lines[self.location] = std::mem::take(&mut self.line);
    }

    /// The call path of the location: the root for a main thread in the program, `None` for others outside of teams.
    fn path(&self) -> Option<CallPathId> {
        let inside = self.inside.last();
        if inside.is_none() && self.open.is_empty() {
            return self.line.is_main.then_some(CallPathId::ROOT);
        }
        match self.open.last() {
            Some(open) if inside.is_none_or(|inside| self.open.len() > inside.depth) => {
                Some(self.line.visits[open.visit].path)
            }
            _ => inside.and_then(|inside| inside.region.or(self.all.teams[inside.team].base)),
        }
    }

    /// From now on the location is on a path.
    fn go(&mut self, time: u64, path: Option<CallPathId>) {
        let (before, since, visits) = std::mem::replace(&mut self.here, (path, time, self.line.visits.len()));
        let Some(path) = before else { return };
        let ticks = time.saturating_sub(since);
        self.line.spent.add(path, visits, ticks);
        if self.is_serial {
            *self.line.serial.entry(path).or_default() += ticks;
        }
    }

    pub(super) fn take(&mut self, time: u64, event: Event) {
        self.line.end = self.line.end.max(time);
        if std::mem::take(&mut self.is_before_all) {
            self.line.begin = Some(time);
            self.note_serial();
            self.go(time, self.path());
        }
        match event {
            Event::ThreadFork { .. } => {
                self.line.has_own_work |= self.inside.is_empty();
                self.go(time, self.path());
                self.fork = Some(time);
                self.forks += 1;
                self.started.push(None);
            }
            Event::ThreadJoin => {
                self.fork = None;
                self.forks = self.forks.saturating_sub(1);
                let visit = self.instant(time);
                if let Some(team) = self.started.pop().flatten() {
                    self.all.teams[team].join = Some((time, visit));
                }
            }
            Event::ThreadTeamBegin { team } => self.join_team(team),
            Event::ThreadTeamEnd { .. } => {
                let Some(inside) = self.inside.pop() else { return };
                // Until the join, the starter is still in the region.
                let path = if inside.starts_it { inside.region } else { None };
                self.go(time, path.or(self.path()));
            }
            Event::ThreadTaskSwitch { task, .. } => self.switch(time, task.generation > 0),
            Event::ThreadTaskComplete { .. } => self.switch(time, false),
            Event::ThreadAcquireLock { lock, order } => {
                let around = self.open.last().and_then(|open| Some((open.visit, open.construct?)));
                self.lock(time, lock, order, LockUse::Acquire(around));
            }
            Event::ThreadReleaseLock { lock, order } => {
                let visit = self.instant(time);
                self.lock(time, lock, order, LockUse::Release(visit));
            }
            Event::Enter { region } => self.enter(time, region),
            Event::Leave { .. } => {
                self.leave(time);
                self.go(time, self.path());
            }
            _ => self.line.events.extend(self.open.last().map(|open| (time, event, open.visit))),
        }
        self.note_serial();
    }

    /// Notes whether the main thread is outside of teams from now on.
    fn note_serial(&mut self) {
        self.is_serial = self.line.is_main && self.inside.is_empty() && self.forks == 0 && self.regions == 0;
    }

    /// The visit that is an instant, after all that was before it.
    fn instant(&mut self, time: u64) -> usize {
        let (visit, is_serial) = (self.line.visits.len(), self.is_serial);
        let path = self.path().unwrap_or(CallPathId::ROOT);
        self.line.visits.push(Visit { enter: time, leave: time, path, function: None, is_serial });
        self.go(time, self.path());
        visit
    }

    fn lock(&mut self, time: u64, lock: u32, order: u32, does: LockUse) {
        let is_in_barrier = self.open.iter().any(|open| open.barrier.is_some());
        self.line.locks.push(LockStep { time, lock, order, does, is_in_barrier });
    }

    fn switch(&mut self, time: u64, is_explicit: bool) {
        if let Some(inside) = self.inside.last_mut() {
            inside.tasks.switch(time, is_explicit);
        }
    }

    fn join_team(&mut self, team: TeamRef) {
        let number = self.begun.entry(team).or_default();
        let key = (team, *number);
        *number += 1;
        let fork = self.fork.take();
        let starts_it = fork.is_some();
        let outer = self.inside.last().map(|inside| inside.team);
        let base = self.path();
        let team = *self.teams.entry(key).or_insert_with(|| {
            self.all.teams.push(Team::default());
            self.all.teams.len() - 1
        });
        if let Some(fork) = fork {
            let of = &mut self.all.teams[team];
            (of.fork, of.base, of.starter) = (fork, base, Some((self.location, outer)));
            self.started.last_mut().into_iter().for_each(|started| *started = Some(team));
        }
        if outer.is_none() {
            self.all.outermost[self.location].push(team);
        }
        let (depth, tasks) = (self.open.len(), Tasks::default());
        self.inside.push(Inside { team, depth, region: None, barriers: 0, starts_it, tasks });
    }

    fn enter(&mut self, time: u64, region: RegionRef) {
        let parent = self.path().unwrap_or(CallPathId::ROOT);
        let path = self.all.paths.tree.child(parent, self.same[region.0 as usize]);
        let construct = self.constructs[region.0 as usize];
        self.line.has_own_work |= self.inside.is_empty();
        self.enter_team(time, path);
        let mut barrier = None;
        if let Some(inside) = self.inside.last_mut() {
            let (location, visit) = (self.location, self.line.visits.len());
            match construct {
                Some(Construct::Barrier | Construct::ImplicitBarrier) => {
                    let barriers = &mut self.all.teams[inside.team].barriers;
                    barriers.resize_with(barriers.len().max(inside.barriers + 1), Vec::new);
                    let parts = &mut barriers[inside.barriers];
                    barrier = Some((inside.barriers, parts.len(), inside.tasks.ticks(time)));
                    parts.push(Part { location, visit, in_tasks: 0 });
                    inside.barriers += 1;
                }
                Some(Construct::Task) => inside.tasks.enter(time),
                _ => {}
            }
        }
        self.regions += usize::from(construct == Some(Construct::Parallel));
        self.open.push(Open { visit: self.line.visits.len(), construct, barrier });
        let function = self.functions[region.0 as usize];
        let is_serial = self.is_serial;
        self.line.visits.push(Visit { enter: time, leave: time, path, function, is_serial });
        self.go(time, Some(path));
    }

    /// Enters the parallel region of a team, as of the fork.
    fn enter_team(&mut self, time: u64, path: CallPathId) {
        let Some(inside) = self.inside.last_mut().filter(|inside| inside.region.is_none()) else { return };
        inside.region = Some(path);
        if inside.starts_it {
            // What has passed since the fork is not the parent's.
            self.here.0 = None;
        }
        let team = &mut self.all.teams[inside.team];
        let enter = team.fork.min(time);
        team.members.push((self.location, self.line.visits.len()));
        self.line.visits.push(Visit { enter, leave: time, path, function: None, is_serial: false });
        // A thread may still have been in another team then, which counts as well.
        self.line.spent.add(path, self.line.visits.len(), time - enter);
    }

    fn leave(&mut self, time: u64) {
        let Some(Open { visit, construct, barrier }) = self.open.pop() else { return };
        self.line.visits[visit].leave = time;
        self.regions -= usize::from(construct == Some(Construct::Parallel));
        let Some(inside) = self.inside.last_mut() else { return };
        if construct == Some(Construct::Task) {
            inside.tasks.leave(time);
        }
        if let Some((number, part, before)) = barrier {
            let parts = self.all.teams[inside.team].barriers.get_mut(number);
            if let Some(part) = parts.and_then(|parts| parts.get_mut(part)) {
                part.in_tasks = inside.tasks.ticks(time).saturating_sub(before);
            }
        }
    }
}
