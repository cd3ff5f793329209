//! Teams of threads: who is a member, and where its events and sums go.

use std::collections::VecDeque;

use crate::rules::{Blocked, Cause};
use ats_model::CallPathId;
use ats_model::definitions;
use ats_model::event::{Event, TeamRef};
use ats_model::openmp::Construct;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use crate::account::TEAM;
use crate::barrier::{Barrier, Rest};
use crate::call::Frame;
use crate::error::Place;
use crate::idle::Time;
use crate::lock::Locks;
use crate::replay::Pins;
use crate::task::{Queue, Running, Tasks};
use crate::time::Picoseconds;
use crate::worker::Body;
use crate::worksharing::Worksharing;
use crate::world::{Location, World};

/// A thread's number in each team, from the outermost to the one it works in, without trailing zeros: the thread that
/// starts a team is its member 0. The same path is the same location in every region.
pub(crate) type Path = SmallVec<[u32; 2]>;

/// All that only programs with teams of threads need.
#[derive(Default)]
pub(crate) struct Threads {
    /// How many a process has without nested regions.
    pub(crate) default: u32,
    /// By location; empty where the program has no teams.
    pub(crate) of: Vec<Thread>,
    pub(crate) teams: Vec<Team>,
    free: Vec<u32>,
    pub(crate) locks: Locks,
    pub(crate) tasks: Tasks,
    locations: FxHashMap<(u32, Path), u32>,
    /// Per rank, the numbers that its threads have.
    numbers: Vec<FxHashSet<u32>>,
    /// What threads other than masters did in a real run.
    pub(crate) pins: FxHashMap<(u32, Path), Pins>,
    pub(crate) definitions: Vec<definitions::Team>,
    by_members: FxHashMap<Vec<u32>, TeamRef>,
}

/// What a location is as a thread.
pub(crate) struct Thread {
    pub(crate) rank: u32,
    /// Its number in its process; the master is 0.
    pub(crate) number: u32,
    pub(crate) path: Path,
    /// The teams it is in, from the outermost.
    pub(crate) member_of: Vec<Member>,
    /// What it will do when it starts to run.
    pub(crate) body: Option<Body>,
    /// At a barrier or taskwait: how it goes on there.
    pub(crate) rest: Rest,
    /// What it waits for, where that is no barrier or taskwait.
    pub(crate) waits_for: Option<WaitsFor>,
    /// Call paths where another thread could have waited in its place.
    pub(crate) exchangeable: FxHashSet<CallPathId>,
    /// How long it has worked in teams under outermost parallel regions, by call path, and in how many of these throughout.
    pub(crate) busy: FxHashMap<CallPathId, Time>,
    /// The same for the one that its process is in.
    pub(crate) busy_now: Picoseconds,
}

/// What a thread waits for.
#[derive(Clone, Copy, Debug)]
pub(crate) enum WaitsFor {
    /// This lock.
    Lock(u32),
    /// That all iterations of an ordered loop before this one are done.
    Turn(usize),
}

/// A location as a member of a team.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Member {
    pub(crate) team: u32,
    pub(crate) number: u32,
    /// How many worksharing constructs it has encountered.
    pub(crate) encountered: u32,
    /// The task that it executes.
    pub(crate) task: Running,
    /// How many tasks it has created.
    pub(crate) created: u32,
}

/// A team at work.
pub(crate) struct Team {
    definition: TeamRef,
    /// Member i is this location.
    pub(crate) members: Vec<u32>,
    /// How many members other than the master have not left the region.
    workers: u32,
    pub(crate) barrier: Barrier,
    /// The barrier at the region's end.
    pub(crate) end: Barrier,
    pub(crate) tasks: Queue,
    /// Worksharing constructs that not all members have left, and the number of the first.
    pub(crate) worksharing: VecDeque<Worksharing>,
    pub(crate) first_worksharing: u32,
    /// Whether members could have changed places since the last barrier.
    pub(crate) exchangeable: bool,
}

impl World<'_> {
    /// Makes the locations that every process has, with `threads` each; for programs with teams.
    pub(crate) fn make_threads(&mut self) {
        self.threads.numbers.resize_with(self.ranks, FxHashSet::default);
        for rank in 0..self.ranks as u32 {
            self.add_thread(rank, 0, Path::new(), rank);
        }
        for rank in 0..self.ranks as u32 {
            for number in 1..self.threads.default {
                self.location_of(rank, Path::from_slice(&[number]));
            }
        }
    }

    fn add_thread(&mut self, rank: u32, number: u32, path: Path, location: u32) {
        self.threads.numbers[rank as usize].insert(number);
        self.threads.locations.insert((rank, path.clone()), location);
        self.threads.of.push(Thread {
            rank,
            number,
            path,
            member_of: Vec::new(),
            body: None,
            rest: Rest::default(),
            waits_for: None,
            exchangeable: FxHashSet::default(),
            busy: FxHashMap::default(),
            busy_now: 0,
        });
    }

    /// The location of a thread, made where it is new.
    fn location_of(&mut self, rank: u32, path: Path) -> u32 {
        if let Some(&location) = self.threads.locations.get(&(rank, path.clone())) {
            return location;
        }
        let location = self.locations.len() as u32;
        let used = &self.threads.numbers[rank as usize];
        let number = match path[..] {
            [number] if !used.contains(&number) => number,
            _ => (self.threads.default..).find(|number| !used.contains(number)).unwrap_or(location),
        };
        let replayed = self.locations[rank as usize].pins.is_some();
        let pins = replayed.then(|| {
            let pins = self.threads.pins.remove(&(rank, path.clone()));
            Box::new(pins.unwrap_or_else(|| Pins::new(crate::ThreadReplay::default())))
        });
        self.locations.push(Location::new(0, pins));
        self.add_thread(rank, number, path, location);
        self.announce(location as usize);
        location
    }

    /// Rank and thread of a location.
    pub(crate) fn place(&self, location: usize) -> Place {
        match self.threads.of.get(location) {
            Some(thread) => Place { rank: thread.rank as usize, thread: thread.number as usize },
            None => Place { rank: location, thread: 0 },
        }
    }

    /// The master of the process that runs.
    pub(crate) fn master(&mut self) -> &mut Location {
        let rank = self.place(self.current).rank;
        &mut self.locations[rank]
    }

    /// The thread that runs.
    pub(crate) fn thread(&mut self) -> &mut Thread {
        &mut self.threads.of[self.current]
    }

    /// The thread that runs, as a member of its innermost team.
    pub(crate) fn member(&mut self) -> Option<&mut Member> {
        self.thread().member_of.last_mut()
    }

    /// The innermost team of the thread that runs, which is in one.
    pub(crate) fn team(&mut self) -> &mut Team {
        let team = self.member().map_or(0, |member| member.team);
        &mut self.threads.teams[team as usize]
    }

    /// The thread that runs starts a team; the others will run `body`.
    pub(crate) fn fork(&mut self, threads: u32, body: Body) {
        let master = self.current as u32;
        let Thread { rank, ref path, ref member_of, .. } = self.threads.of[self.current];
        // A worker's path ends with its number in the first of its teams.
        let (mut base, level) = (path.clone(), path.len().saturating_sub(1) + member_of.len());
        base.resize(level, 0);
        let mut members = vec![master];
        for number in 1..threads {
            let mut path = base.clone();
            path.push(number);
            members.push(self.location_of(rank, path));
        }
        self.event(Event::ThreadFork { requested: threads });
        let (forked, call_path) = (self.here().clock, self.here().call_path);
        let team = Team {
            definition: self.define_team(&members),
            members: members.clone(),
            workers: threads - 1,
            barrier: Barrier::default(),
            end: Barrier::default(),
            tasks: Queue::default(),
            worksharing: VecDeque::new(),
            first_worksharing: 0,
            exchangeable: false,
        };
        let Threads { teams, free, .. } = &mut self.threads;
        let number = free.pop().unwrap_or(teams.len() as u32);
        match teams.get_mut(number as usize) {
            Some(gone) => *gone = team,
            None => teams.push(team),
        }
        for &location in &members[1..] {
            let worker = &mut self.locations[location as usize];
            (worker.clock, worker.call_path) = (forked, call_path);
            self.threads.of[location as usize].body = Some(body);
            self.ready(location);
        }
        for (at, &location) in (0..).zip(&members) {
            let task = self.threads.tasks.implicit(at);
            let member = Member { team: number, number: at, encountered: 0, task, created: 0 };
            self.threads.of[location as usize].member_of.push(member);
        }
    }

    fn define_team(&mut self, members: &[u32]) -> TeamRef {
        if let Some(&team) = self.threads.by_members.get(members) {
            return team;
        }
        let definitions = &mut self.threads.definitions;
        let team = TeamRef(definitions.len() as u32);
        definitions.push(definitions::Team { name: String::new(), members: members.to_vec() });
        self.threads.by_members.insert(members.to_vec(), team);
        team
    }

    /// An event of the thread that runs that names its innermost team.
    pub(crate) fn team_event(&mut self, event: impl FnOnce(TeamRef) -> Event) {
        let team = self.team().definition;
        self.event(event(team));
    }

    /// The thread that runs begins its part of the region.
    pub(crate) fn begin_member(&mut self) -> (u32, u32, u32) {
        self.team_event(|team| Event::ThreadTeamBegin { team });
        let region = self.regions.get(Construct::Parallel.region());
        self.enter_region(region);
        let Member { team, number, .. } = *self.member().expect("was made a member by the fork");
        if self.thread().member_of.len() == 1 {
            self.enter_parallel();
        }
        self.begin_as_stamped();
        if number > 0 {
            // The master's visit was counted before the fork.
            self.counts[region.0 as usize].calls += 1;
        }
        (team, number, self.threads.teams[team as usize].members.len() as u32)
    }

    /// In a real run a thread began some time after the fork.
    fn begin_as_stamped(&mut self) {
        let here = self.here();
        let Some(begin) = here.pins.as_mut().and_then(|pins| pins.next_begin()) else { return };
        let (path, ticks) = (here.call_path, begin.saturating_sub(here.clock));
        here.clock += ticks;
        self.managed(path, ticks);
    }

    /// The thread that runs has waited in the region of this call path for its team to be started or disbanded.
    pub(crate) fn managed(&mut self, path: CallPathId, ticks: Picoseconds) {
        if !self.accounts || ticks == 0 {
            return;
        }
        let nested = self.threads.of[self.current].path.len() > 1;
        let blocked = Blocked { cause: Cause::TeamManagement, ticks };
        self.here().account.blocked(Construct::Parallel.region(), path, TEAM, blocked, true);
        if nested {
            self.thread().exchangeable.insert(path);
        }
    }

    /// A worker leaves the region. Its master can go on when all have.
    pub(crate) fn end_worker(&mut self) {
        let region = self.regions.get(Construct::Parallel.region());
        self.leave_region(region);
        self.team_event(|team| Event::ThreadTeamEnd { team });
        let Some(Member { team, .. }) = self.thread().member_of.pop() else { return };
        let team = &mut self.threads.teams[team as usize];
        team.workers -= 1;
        if team.workers == 0 {
            let master = team.members[0];
            self.ready(master);
        }
    }

    /// Whether the master of its innermost team can leave the region's end at once: nobody is in it but itself.
    pub(crate) fn is_alone(&self, team: u32) -> bool {
        self.threads.teams[team as usize].workers == 0
    }

    /// The thread that runs leaves the region of the team that it has started.
    pub(crate) fn join(&mut self, frame: &Frame) {
        self.leave_parallel(frame);
        self.leave(frame);
        self.team_event(|team| Event::ThreadTeamEnd { team });
        self.event(Event::ThreadJoin);
        let gone = self.thread().member_of.pop().map(|member| member.team);
        self.threads.free.extend(gone);
    }

    /// The thread that runs does what, in another run, another thread of its teams could do.
    pub(crate) fn exchangeable(&mut self) {
        // A real run's threads are known.
        if self.replays() {
            return;
        }
        let Threads { of, teams, .. } = &mut self.threads;
        for member in &of[self.current].member_of {
            teams[member.team as usize].exchangeable = true;
        }
    }
}
