//! The timeline of each location, in memory.

use std::collections::BTreeMap;

use ats_model::{
    CallPathId, CallTree, Definitions, Event, EventSource,
    definitions::LocationDefinition,
    event::{RegionRef, TeamRef},
    mpi::{Function, Kind},
    openmp::Construct,
};

/// A visit of a region; or what passes from a fork to the entry into the parallel region, which is a part of that.
#[derive(Clone, Copy, Debug)]
pub(super) struct Visit {
    pub(super) enter: u64,
    pub(super) leave: u64,
    pub(super) path: CallPathId,
    pub(super) function: Option<Function>,
    /// Whether it is the execution of an explicit task.
    pub(super) is_task: bool,
}

impl Visit {
    pub(super) fn total(&self) -> u64 {
        self.leave - self.enter
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
    /// Whether it is in teams that another thread starts.
    pub(super) is_worker: bool,
    pub(super) visits: Vec<Visit>,
    pub(super) events: Vec<(u64, Event, usize)>,
    /// From when on it was where; nowhere where it is in no team.
    stretches: Vec<(u64, Option<CallPathId>)>,
    /// When it was alone, between its teams.
    pub(super) serial: Vec<(u64, u64)>,
    end: u64,
}

impl Timeline {
    /// Ticks in tasks that it executed inside a visit, until an instant.
    pub(super) fn in_tasks(&self, visit: usize, until: u64) -> u64 {
        let end = until.min(self.visits[visit].leave);
        let inside = self.visits[visit + 1..].iter().take_while(|inner| inner.enter < end);
        let (mut ticks, mut since) = (0, 0);
        for task in inside.filter(|inner| inner.is_task) {
            // A task inside another is a part of that.
            ticks += task.leave.min(end).saturating_sub(task.enter.max(since));
            since = since.max(task.leave);
        }
        ticks
    }

    pub(super) fn begin(&self) -> u64 {
        self.stretches.first().map_or(self.end, |&(time, _)| time)
    }

    /// Ticks in each path between two instants, what is inside it not counted.
    pub(super) fn between(&self, from: u64, to: u64) -> BTreeMap<CallPathId, u64> {
        let mut ticks = BTreeMap::new();
        let first = self.stretches.partition_point(|&(time, _)| time <= from).saturating_sub(1);
        for (at, &(begin, path)) in self.stretches.iter().enumerate().skip(first) {
            if begin >= to {
                break;
            }
            let end = self.stretches.get(at + 1).map_or(self.end, |&(time, _)| time);
            let inside = end.min(to).saturating_sub(begin.max(from));
            if let Some(path) = path.filter(|_| inside > 0) {
                *ticks.entry(path).or_default() += inside;
            }
        }
        ticks
    }
}

/// A team, from its fork to its join.
#[derive(Debug, Default)]
pub(super) struct Team {
    fork: u64,
    /// The call path of the fork.
    base: Option<CallPathId>,
    /// Of each member, location and the visit from the fork on.
    pub(super) members: Vec<(usize, usize)>,
    /// Of each of its barriers, the members' visits.
    pub(super) barriers: Vec<Vec<(usize, usize)>>,
}

/// All that is known of a trace.
#[derive(Debug, Default)]
pub(super) struct Lines {
    pub(super) lines: Vec<Timeline>,
    pub(super) teams: Vec<Team>,
    pub(super) paths: Paths,
}

/// A call path of a location.
pub type Cell = (usize, CallPathId);

/// Names of regions, for comparing paths of different locations.
#[derive(Debug, Default)]
pub(super) struct Paths {
    names: Vec<String>,
    tree: CallTree<RegionRef>,
}

impl Paths {
    pub(super) fn names(&self, path: CallPathId) -> Vec<&str> {
        self.tree.path(path).into_iter().map(|region| self.names[region.0 as usize].as_str()).collect()
    }
}

/// Reads a trace, of each process the main thread first, which starts the others' teams.
pub(super) fn read<S: EventSource>(trace: &S) -> Result<Lines, S::Error> {
    let definitions = trace.definitions();
    let mut reader = Reader::new(definitions);
    let mut order: Vec<usize> = (0..definitions.locations.len()).collect();
    order.sort_by_key(|&location| definitions.locations[location].thread);
    for location in order {
        reader.begin(location, definitions);
        trace.read_location(location, |time, event| reader.take(time, event))?;
        reader.end();
    }
    Ok(reader.all)
}

struct Reader {
    functions: Vec<Option<Function>>,
    constructs: Vec<Option<Construct>>,
    /// The first region of its name.
    same: Vec<RegionRef>,
    /// By team and how many of it the location had before.
    teams: BTreeMap<(TeamRef, usize), usize>,
    all: Lines,
    location: usize,
    is_main: bool,
    /// Whether the location has no event yet.
    is_before_all: bool,
    line: Timeline,
    open: Vec<usize>,
    fork: Option<u64>,
    begun: BTreeMap<TeamRef, usize>,
    /// The team that it is in, and how many visits were open when it began; whether it has entered the parallel region;
    /// how many barriers were there.
    inside: Vec<Inside>,
    serial_since: Option<u64>,
}

struct Inside {
    team: usize,
    depth: usize,
    region: Option<CallPathId>,
    barriers: usize,
    starts_it: bool,
}

impl Reader {
    fn new(definitions: &Definitions) -> Self {
        let regions = &definitions.regions;
        let same = regions.iter().enumerate().map(|(at, region)| {
            RegionRef(regions.iter().position(|other| other.name == region.name).unwrap_or(at) as u32)
        });
        let names = regions.iter().map(|region| region.name.clone()).collect();
        Reader {
            functions: regions.iter().map(|region| Function::of_spelling(&region.name)).collect(),
            constructs: regions.iter().map(|region| Construct::of_region(&region.name)).collect(),
            same: same.collect(),
            teams: BTreeMap::new(),
            all: Lines {
                lines: definitions.locations.iter().map(|_| Timeline::default()).collect(),
                teams: Vec::new(),
                paths: Paths { names, tree: CallTree::default() },
            },
            location: 0,
            is_main: false,
            is_before_all: true,
            line: Timeline::default(),
            open: Vec::new(),
            fork: None,
            begun: BTreeMap::new(),
            inside: Vec::new(),
            serial_since: None,
        }
    }

    fn begin(&mut self, location: usize, definitions: &Definitions) {
        let LocationDefinition { rank, thread, .. } = definitions.locations[location];
        (self.location, self.is_main) = (location, thread == 0);
        self.line = Timeline { rank, ..Timeline::default() };
        self.is_before_all = true;
        self.begun.clear();
    }

    fn end(&mut self) {
        for at in self.open.drain(..) {
            self.line.visits[at].leave = self.line.end;
        }
        self.line.serial.extend(self.serial_since.take().map(|since| (since, self.line.end)));
        self.inside.clear();
        self.all.lines[self.location] = std::mem::take(&mut self.line);
    }

    /// The call path of the location: the root for a main thread in the program, `None` for others outside of teams.
    fn path(&self) -> Option<CallPathId> {
        let inside = self.inside.last();
        if inside.is_none() && self.open.is_empty() {
            return self.is_main.then_some(CallPathId::ROOT);
        }
        match self.open.last() {
            Some(&at) if inside.is_none_or(|inside| self.open.len() > inside.depth) => {
                Some(self.line.visits[at].path)
            }
            _ => inside.and_then(|inside| inside.region.or(self.all.teams[inside.team].base)),
        }
    }

    fn take(&mut self, time: u64, event: Event) {
        self.line.end = self.line.end.max(time);
        if std::mem::take(&mut self.is_before_all) && self.is_main {
            self.serial_since = Some(time);
        }
        match event {
            Event::ProgramBegin { .. } => self.line.stretches.push((time, Some(CallPathId::ROOT))),
            Event::ThreadFork { .. } => {
                self.line.serial.extend(self.serial_since.take().map(|since| (since, time)));
                self.fork = Some(time);
            }
            Event::ThreadJoin => {
                self.line.stretches.push((time, self.path()));
                self.serial_since = Some(time);
            }
            Event::ThreadTeamBegin { team } => self.join_team(team),
            Event::ThreadTeamEnd { .. } => {
                let Some(inside) = self.inside.pop() else { return };
                let path = if inside.starts_it { inside.region } else { None };
                self.line.stretches.push((time, path));
            }
            Event::Enter { region } => self.enter(time, region),
            Event::Leave { .. } => {
                if let Some(at) = self.open.pop() {
                    self.line.visits[at].leave = time;
                }
                self.line.stretches.push((time, self.path()));
            }
            _ => self.line.events.extend(self.open.last().map(|&at| (time, event, at))),
        }
    }

    fn join_team(&mut self, team: TeamRef) {
        let number = self.begun.entry(team).or_default();
        let key = (team, *number);
        *number += 1;
        let base = self.path();
        let fork = self.fork.take();
        let starts_it = fork.is_some();
        self.line.is_worker |= !starts_it && !self.is_main;
        let team = *self.teams.entry(key).or_insert_with(|| {
            let fork = fork.unwrap_or_default();
            self.all.teams.push(Team { fork, base, ..Team::default() });
            self.all.teams.len() - 1
        });
        let depth = self.open.len();
        self.inside.push(Inside { team, depth, region: None, barriers: 0, starts_it });
    }

    fn enter(&mut self, time: u64, region: RegionRef) {
        let parent = self.path().unwrap_or(CallPathId::ROOT);
        let path = self.all.paths.tree.child(parent, self.same[region.0 as usize]);
        let function = self.functions[region.0 as usize];
        if let Some(inside) = self.inside.last_mut() {
            let team = &mut self.all.teams[inside.team];
            if inside.region.is_none() {
                inside.region = Some(path);
                let fork = team.fork.min(time);
                team.members.push((self.location, self.line.visits.len()));
                self.line.visits.push(Visit {
                    enter: fork,
                    leave: time,
                    path,
                    function: None,
                    is_task: false,
                });
                self.line.stretches.push((fork, Some(path)));
            }
            if let Some(Construct::Barrier | Construct::ImplicitBarrier) = self.constructs[region.0 as usize]
            {
                team.barriers.resize_with(team.barriers.len().max(inside.barriers + 1), Vec::new);
                team.barriers[inside.barriers].push((self.location, self.line.visits.len()));
                inside.barriers += 1;
            }
        }
        self.open.push(self.line.visits.len());
        let is_task = self.constructs[region.0 as usize] == Some(Construct::Task);
        self.line.visits.push(Visit { enter: time, leave: time, path, function, is_task });
        self.line.stretches.push((time, Some(path)));
    }
}
