//! The part of pass 1 that follows a location through teams, barriers, locks and tasks.

use ats_model::{
    CallPathId, Event,
    event::{TaskId, TeamRef},
};
use rustc_hash::FxHashMap;

use super::Scanner;
use crate::{
    records::threads::{self, Barrier, Fork, Membership, Parallel, Renumbering, Serial, Threads},
    words::{
        damage::Damage,
        place::{Base, NO_STOP, Place},
        regions::ConstructKind,
        visits::Visits,
    },
};

/// The open constructs of OpenMP on a location.
#[derive(Default)]
pub(super) struct OpenOmp {
    /// The base of call paths.
    pub(super) base: Base,
    /// Regions below this depth of the stack are outside the team.
    pub(super) bottom: usize,
    /// Forks without a join: indices into `Threads::forks`.
    forks: Vec<u32>,
    /// The fork whose team has not begun.
    pending_fork: Option<u32>,
    memberships: Vec<OpenMembership>,
    /// Constructs entered and not left, the innermost last.
    constructs: Vec<OpenConstruct>,
    parallels: u32,
    /// The parallel region that was left last and not joined, when, and the number of regions around it.
    left: Option<(CallPathId, u64, usize)>,
    tasks: Tasks,
    /// For each lock, its hold (index into `Threads::holds`) and the number of acquisitions in it.
    pub(super) holds: FxHashMap<u32, (u32, u32)>,
    /// Up to when `Threads::serial` is complete.
    pub(super) serial_until: u64,
    /// The time after which nothing of OpenMP is recorded.
    pub(super) recorded_until: u64,
}

struct OpenMembership {
    /// Index into `Threads::memberships`.
    membership: u32,
    /// [`OpenOmp::base`], [`OpenOmp::bottom`] and [`OpenOmp::tasks`] before it.
    before: (Base, usize, Tasks),
}

/// The time that a location has spent in explicit tasks.
#[derive(Clone, Copy, Default)]
struct Tasks {
    /// Whether the current task is an explicit one.
    is_explicit: bool,
    /// Task regions entered and not left.
    regions: u32,
    /// Ticks in explicit tasks, up to `until`.
    ticks: u64,
    until: u64,
}

impl Tasks {
    fn count(&mut self, time: u64) {
        if self.is_explicit || self.regions > 0 {
            self.ticks = self.ticks.saturating_add(time.saturating_sub(self.until));
        }
        self.until = time;
    }
}

#[derive(Clone, Copy)]
enum OpenConstruct {
    /// The first parallel region of a membership.
    ParallelOf(u32),
    Parallel,
    /// Index into `Threads::barriers`.
    Barrier(u32),
    Task,
    Nothing,
}

impl OpenOmp {
    /// No open constructs, in this phase of the location's run; OpenMP is recorded until its runtime has `ended`.
    pub(super) fn new(base: Base, ended: Option<&u64>) -> Self {
        OpenOmp { base, recorded_until: ended.copied().unwrap_or(u64::MAX), ..OpenOmp::default() }
    }

    /// The parallel region that was left last and not joined, if the location is in so many regions, as many as were around
    /// it.
    pub(super) fn left_region(&self, around: usize) -> Option<CallPathId> {
        self.left.filter(|&(_, _, depth)| depth == around).map(|(path, ..)| path)
    }

    /// Whether the location is between a fork and its join, or has a part in a team.
    pub(super) fn is_in_team(&self) -> bool {
        !self.forks.is_empty() || self.parallels > 0 || !self.memberships.is_empty()
    }

    /// Whether the location is in a barrier, where it may execute tasks.
    pub(super) fn is_in_barrier(&self) -> bool {
        self.constructs.iter().any(|construct| matches!(construct, OpenConstruct::Barrier(_)))
    }
}

impl Scanner<'_> {
    /// Takes an event of threads.
    #[cold]
    pub(super) fn thread_event(&mut self, time: u64, event: Event) {
        self.count_serial(time);
        self.spend_in_threads(time, matches!(event, Event::ThreadTeamBegin { .. }));
        match event {
            Event::ThreadFork { .. } => self.fork(time),
            Event::ThreadJoin => self.join(time),
            Event::ThreadTeamBegin { team } => self.team_begin(time, team),
            Event::ThreadTeamEnd { team } => self.team_end(time, team),
            Event::ThreadAcquireLock { lock, order } => self.acquire(time, lock, order),
            Event::ThreadReleaseLock { lock, order } => self.release(time, lock, order),
            Event::ThreadTaskSwitch { task: TaskId { generation, .. }, .. } => {
                self.open.tasks.count(time);
                self.open.tasks.is_explicit = generation > 0;
            }
            Event::ThreadTaskComplete { .. } => {
                self.open.tasks.count(time);
                self.open.tasks.is_explicit = false;
            }
            _ => {}
        }
        self.follow();
        self.follow_computing(time);
    }

    fn fork(&mut self, time: u64) {
        self.scan.threads.has_root |= self.open.base.is_phase();
        let place = self.place_of_fork();
        let forks = &mut self.scan.threads.forks;
        let fork = forks.len() as u32;
        forks.push(Fork { time, join: None, place, stop: None });
        self.open.forks.push(fork);
        self.open.pending_fork = Some(fork);
        self.open.left = None;
        self.follow_fork(time);
    }

    fn join(&mut self, time: u64) {
        let Some(fork) = self.open.forks.pop() else {
            self.damage(Damage::JoinWithoutFork, time);
            return;
        };
        let stop = self.follow_join(time);
        let of_fork = &mut self.scan.threads.forks[fork as usize];
        (of_fork.join, of_fork.stop) = (Some(time), stop);
        self.open.pending_fork = None;
        if let Some((path, left, _)) = self.open.left.take() {
            if let Some(region) = self.tree.key(path) {
                self.code_begins(time, region);
            }
            self.count_visit(path, Visits::part(time.saturating_sub(left)));
            // A parallel region lasts from its fork to its join.
            if self.tree.key(path).is_some_and(|region| self.regions.traits(region).is_basis) {
                self.extend_basis(self.scan.threads.forks[fork as usize].time, time);
            }
        }
        let memberships = &self.scan.threads.memberships;
        let is_of_fork = |open: &OpenMembership| memberships[open.membership as usize].fork == Some(fork);
        if let Some(depth) = self.open.memberships.iter().rposition(is_of_fork) {
            self.lose_memberships(depth, time);
        }
    }

    fn team_begin(&mut self, time: u64, team: TeamRef) {
        let fork = self.open.pending_fork.take();
        let definition = self.definitions.teams.get(team.0 as usize);
        let first = definition.and_then(|team| team.members.first());
        let is_master = fork.is_some() || first == Some(&(self.location as u32));
        if !is_master {
            // Who is in a team gets into another only by starting it.
            self.lose_memberships(0, time);
        }
        let membership = self.scan.threads.memberships.len() as u32;
        self.open.tasks.count(time);
        let before = (self.open.base, self.open.bottom, self.open.tasks);
        self.open.tasks = Tasks { until: time, ..Tasks::default() };
        self.open.memberships.push(OpenMembership { membership, before });
        if !is_master {
            self.open.base = Base::of_membership(membership);
            self.open.bottom = self.stack.len();
        }
        let outer = self.open.memberships.iter().rev().nth(1).map(|open| open.membership);
        let place = match fork {
            Some(fork) => self.scan.threads.forks[fork as usize].place,
            None => self.current_place(),
        };
        self.scan.threads.memberships.push(Membership {
            team,
            begin: time,
            end: None,
            is_master,
            fork,
            outer,
            place,
            parallel: None,
            has_met: false,
            barriers: 0,
        });
    }

    fn team_end(&mut self, time: u64, team: TeamRef) {
        let memberships = &self.scan.threads.memberships;
        let is_it = |open: &OpenMembership| memberships[open.membership as usize].team == team;
        let Some(depth) = self.open.memberships.iter().rposition(is_it) else {
            self.damage(Damage::TeamEndWithoutBegin, time);
            return;
        };
        let membership = self.open.memberships[depth].membership;
        self.lose_memberships(depth + 1, time);
        self.close_membership(time);
        self.scan.threads.memberships[membership as usize].end = Some(time);
    }

    /// Closes the memberships from `depth` on; their ends are not in the trace.
    fn lose_memberships(&mut self, depth: usize, time: u64) {
        while self.open.memberships.len() > depth {
            self.damage(Damage::TeamNotEnded, time);
            self.close_membership(time);
        }
    }

    /// Closes the innermost membership, and the regions that its location entered in it if it is not the master.
    fn close_membership(&mut self, time: u64) {
        let Some(open) = self.open.memberships.pop() else { return };
        let (base, bottom, tasks) = open.before;
        // What a master enters continues what it has entered before.
        if !self.scan.threads.memberships[open.membership as usize].is_master {
            while self.stack.len() > self.open.bottom {
                let Some(frame) = self.stack.pop() else { break };
                self.damage(Damage::LeaveMissing, frame.enter);
                self.close_frame(time, frame);
            }
            (self.open.base, self.open.bottom) = (base, bottom);
            self.open.left = None;
        }
        self.open.tasks = tasks;
    }

    /// Takes the records of OpenMP so far out, until they are put back; also returns those under way.
    pub(crate) fn take_threads(&mut self) -> (Threads, threads::UnderWay) {
        let open = &self.open;
        let mut under_way = threads::UnderWay {
            forks: open.forks.iter().chain(&open.pending_fork).copied().collect(),
            memberships: open.memberships.iter().map(|open| open.membership).collect(),
            barriers: Vec::new(),
            holds: open.holds.values().map(|&(hold, _)| hold).collect(),
        };
        for construct in &open.constructs {
            match *construct {
                OpenConstruct::ParallelOf(membership) => under_way.memberships.push(membership),
                OpenConstruct::Barrier(barrier) => under_way.barriers.push(barrier),
                OpenConstruct::Parallel | OpenConstruct::Task | OpenConstruct::Nothing => {}
            }
        }
        (std::mem::take(&mut self.scan.threads), under_way)
    }

    /// Puts back the rest, and renumbers the records under way.
    pub(crate) fn put_back_threads(&mut self, threads: Threads, numbers: &Renumbering) {
        self.scan.threads = threads;
        let open = &mut self.open;
        open.base = open.base.renumbered(&numbers.bases);
        for fork in open.forks.iter_mut().chain(&mut open.pending_fork) {
            *fork = numbers.forks[*fork as usize];
        }
        for OpenMembership { membership, before: (base, ..) } in &mut open.memberships {
            *membership = numbers.memberships[*membership as usize];
            *base = base.renumbered(&numbers.bases);
        }
        for construct in &mut open.constructs {
            match construct {
                OpenConstruct::ParallelOf(membership) => {
                    *membership = numbers.memberships[*membership as usize];
                }
                OpenConstruct::Barrier(barrier) => *barrier = numbers.barriers[*barrier as usize],
                OpenConstruct::Parallel | OpenConstruct::Task | OpenConstruct::Nothing => {}
            }
        }
        for (hold, _) in open.holds.values_mut() {
            *hold = numbers.holds[*hold as usize];
        }
    }

    /// Notes the entry into a construct that something is known of.
    #[cold]
    pub(super) fn enter_construct(&mut self, time: u64, path: CallPathId, kind: ConstructKind) {
        let place = self.place(path);
        let construct = match kind {
            ConstructKind::Parallel => self.enter_parallel(time, place),
            ConstructKind::Barrier | ConstructKind::ImplicitBarrier => {
                self.enter_barrier(time, place, kind == ConstructKind::Barrier)
            }
            ConstructKind::Task => {
                self.open.tasks.count(time);
                self.open.tasks.regions += 1;
                OpenConstruct::Task
            }
            _ => OpenConstruct::Nothing,
        };
        self.open.constructs.push(construct);
    }

    /// Whether the next parallel region is the first of the location's part in a team.
    pub(super) fn is_first_parallel(&self) -> bool {
        let innermost = self.open.memberships.last();
        innermost
            .is_some_and(|open| self.scan.threads.memberships[open.membership as usize].parallel.is_none())
    }

    fn enter_parallel(&mut self, time: u64, place: Place) -> OpenConstruct {
        self.open.parallels += 1;
        let Some(open) = self.open.memberships.last() else { return OpenConstruct::Parallel };
        let membership = &mut self.scan.threads.memberships[open.membership as usize];
        if membership.parallel.is_some() {
            return OpenConstruct::Parallel;
        }
        let stop = self.stack.last().map_or(NO_STOP, |frame| frame.stop);
        membership.parallel = Some(Parallel { enter: time, leave: None, place, stop });
        let construct = OpenConstruct::ParallelOf(open.membership);
        if let Some(fork) = membership.fork {
            let since_fork = time.saturating_sub(self.scan.threads.forks[fork as usize].time);
            self.count_visit(place.path, Visits::part(since_fork));
        }
        construct
    }

    fn enter_barrier(&mut self, time: u64, place: Place, is_explicit: bool) -> OpenConstruct {
        self.open.tasks.count(time);
        let Some(open) = self.open.memberships.last() else {
            // Outside every parallel region a barrier is one of the thread alone.
            let is_main = self.definitions.locations[self.location].thread == 0;
            if !is_main || self.open.parallels > 0 || !self.open.forks.is_empty() {
                self.damage(Damage::OmpBarrierOutsideTeam, time);
            }
            return OpenConstruct::Nothing;
        };
        let membership = &mut self.scan.threads.memberships[open.membership as usize];
        let number = membership.barriers;
        membership.barriers += 1;
        let barriers = &mut self.scan.threads.barriers;
        barriers.push(Barrier {
            membership: open.membership,
            number,
            is_explicit,
            enter: time,
            in_tasks: self.open.tasks.ticks,
            place,
            stop: self.stack.last().map_or(NO_STOP, |frame| frame.stop),
        });
        OpenConstruct::Barrier(barriers.len() as u32 - 1)
    }

    /// Notes the leave of a construct.
    #[cold]
    pub(super) fn close_construct(&mut self, time: u64, path: CallPathId) {
        match self.open.constructs.pop() {
            Some(OpenConstruct::ParallelOf(membership)) => {
                self.open.parallels -= 1;
                self.open.left = Some((path, time, self.stack.len()));
                if let Some(parallel) = &mut self.scan.threads.memberships[membership as usize].parallel {
                    parallel.leave = (!self.is_over).then_some(time);
                }
            }
            Some(OpenConstruct::Parallel) => self.open.parallels -= 1,
            Some(OpenConstruct::Barrier(barrier)) => {
                self.open.tasks.count(time);
                let barrier = &mut self.scan.threads.barriers[barrier as usize];
                barrier.in_tasks = self.open.tasks.ticks.saturating_sub(barrier.in_tasks);
            }
            Some(OpenConstruct::Task) => {
                self.open.tasks.count(time);
                self.open.tasks.regions = self.open.tasks.regions.saturating_sub(1);
            }
            Some(OpenConstruct::Nothing) | None => {}
        }
    }

    /// The place where a team is started: in the function that starts it.
    fn place_of_fork(&mut self) -> Place {
        let path = self.code_around_next();
        self.place(path)
    }

    pub(super) fn current_place(&self) -> Place {
        self.place(self.stack[self.open.bottom..].last().map_or(CallPathId::ROOT, |frame| frame.path))
    }

    /// From here on, what other threads do is not recorded, so that none of them is idle.
    #[cold]
    pub(super) fn end_threads(&mut self) {
        let time = self.open.recorded_until.max(self.last_time);
        self.count_serial(time);
        self.spend(time);
        (self.is_main_of_several, self.open.recorded_until) = (false, u64::MAX);
        self.follow();
    }

    /// Brings the count of ticks outside parallel regions up to `time`, before anything changes then.
    #[inline(always)]
    pub(super) fn count_serial(&mut self, time: u64) {
        if self.is_main_of_several {
            self.count_serial_of_main(time);
        }
    }

    fn count_serial_of_main(&mut self, time: u64) {
        let ticks = time.saturating_sub(self.open.serial_until);
        if ticks > 0 && !self.open.is_in_team() {
            let Place { path, base, .. } = self.current_place();
            self.scan.threads.serial.add(base, path, Serial { ticks, stretches: 1 });
        }
        self.open.serial_until = time;
    }
}
