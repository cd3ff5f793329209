//! What a thread does in OpenMP, as events in its buffer.
//!
//! Two things are known only later. A construct with a barrier at its end is over for the runtime before that barrier
//! begins, but for the trace after it: whether there is one shows the next event. And a request for a lock that is not
//! followed by having it was a test.

use std::mem::ManuallyDrop;
use std::sync::Arc;

use ats_model::Event;
use ats_model::event::{RegionRef, TaskId, TeamRef};
use ats_model::openmp::Construct;
use rustc_hash::FxHashMap;

use super::lock::{self, Lock};
use super::team::Team;
use crate::buffer::{self, After, Buffer, Open};
use crate::region;

/// What a thread is in the middle of.
#[derive(Debug, Default)]
pub(crate) struct Thread {
    /// From the outermost to the one it works in.
    teams: Vec<Membership>,
    /// Teams that it has started and that are not gone, from the outermost. When recording ends in the middle of a region,
    /// the runtime goes on naming its team, which therefore stays.
    started: Vec<ManuallyDrop<Arc<Team>>>,
    /// Explicit tasks that it has begun and not ended, each within the one before.
    tasks: Vec<Running>,
    held: Vec<Held>,
    unsettled: Option<Unsettled>,
    tasks_created: u32,
    /// So many numbers of threads are kept for its teams.
    reserved: u32,
    regions: FxHashMap<(usize, Construct), RegionRef>,
    locks: FxHashMap<u64, &'static Lock>,
}

#[derive(Debug)]
struct Membership {
    team: Arc<Team>,
    index: u32,
    /// What was open before.
    depth: usize,
    had_barrier: bool,
}

/// A task as its creator made it.
#[derive(Debug)]
pub(crate) struct Task {
    /// None outside of parallel regions.
    team: Option<TeamRef>,
    id: TaskId,
    region: RegionRef,
}

#[derive(Debug)]
struct Running {
    task: *const Task,
    /// What was open before.
    depth: usize,
}

// SAFETY: the pointer is an identity; what it points to stays while the task runs, and is never changed.
#[allow(unsafe_code, reason = "buffers move between threads")]
unsafe impl Send for Running {}

/// A lock that this thread has.
#[derive(Debug)]
struct Held {
    identity: u64,
    order: u32,
}

#[derive(Clone, Copy, Debug)]
enum Unsettled {
    /// The construct that is innermost was over at this time, unless a barrier of it follows.
    Over(u64),
    /// A lock was requested at this time.
    Request(u64, Construct),
}

/// The barriers that a runtime tells apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Barrier {
    Explicit,
    /// At the end of a loop, sections or a single.
    OfConstruct,
    /// That the runtime needs for itself.
    OfRuntime,
    /// At the end of a parallel region.
    OfTeam,
}

/// What threads exclude each other with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mutex {
    /// A lock of the program, requested by this construct.
    Lock(Construct),
    Critical,
    Atomic,
    Ordered,
}

impl Buffer {
    fn region(&mut self, construct: Construct, address: usize) -> RegionRef {
        let regions = &mut self.openmp.regions;
        *regions.entry((address, construct)).or_insert_with(|| region::of_construct(construct, address))
    }

    fn enter_construct(&mut self, ticks: u64, construct: Construct, address: usize) {
        let region = self.region(construct, address);
        self.begin(ticks, Open::Construct(construct, region));
    }

    /// Leaves a construct, and the regions that were entered in it and never left.
    fn leave_construct(&mut self, ticks: u64, construct: Construct) {
        if let Some(depth) = self.find(|open| matches!(open, Open::Construct(of, _) if of == construct)) {
            self.end_to(ticks, depth);
        }
    }

    /// Writes what was waiting for the next event, where that is of another kind.
    #[inline]
    pub(crate) fn settle(&mut self) {
        if self.openmp.unsettled.is_some() {
            self.settle_now();
        }
    }

    fn settle_now(&mut self) {
        match self.openmp.unsettled.take() {
            None => {}
            Some(Unsettled::Over(ticks)) => self.end(ticks),
            Some(Unsettled::Request(ticks, construct)) => {
                let test = match construct {
                    Construct::SetNestLock | Construct::TestNestLock => Construct::TestNestLock,
                    _ => Construct::TestLock,
                };
                self.enter_construct(ticks, test, 0);
                self.end(ticks);
            }
        }
    }

    /// Writes all that is known. The thread must not go on.
    pub(crate) fn settle_all(&mut self) {
        self.settle();
        if let Some(Open::Barrier(_, After::TeamEnd)) = self.innermost()
            && let Some(end) = self.openmp.teams.last().and_then(|membership| membership.team.end())
        {
            self.leave_team(end);
        }
    }

    /// The thread starts a team, which stays at least until [`Buffer::joins`].
    pub(super) fn forks(&mut self, ticks: u64, requested: u32, address: usize) -> *const Team {
        self.settle();
        self.begin(ticks, Open::Fork);
        self.push(ticks, Event::ThreadFork { requested });
        let of_first_thread = self.thread == 0 && self.openmp.teams.is_empty();
        if of_first_thread && requested > self.openmp.reserved {
            buffer::reserve(requested);
            self.openmp.reserved = requested;
        }
        let team = Arc::new(Team::new(address, of_first_thread));
        let identity = Arc::as_ptr(&team);
        self.openmp.started.push(ManuallyDrop::new(team));
        identity
    }

    /// The team that the thread started last is gone.
    pub(super) fn joins(&mut self, ticks: u64) {
        let Some(team) = self.openmp.started.pop() else { return };
        drop(ManuallyDrop::into_inner(team));
        self.settle();
        if self.innermost() == Some(Open::Fork) {
            self.end(ticks);
        }
    }

    /// Begins to work as a member of a team.
    /// Says how much was open before, for [`Buffer::ends_in`].
    pub(super) fn begins_in(&mut self, ticks: u64, team: Arc<Team>, index: u32, size: u32) -> usize {
        self.settle();
        team.begins(index, size, self.thread);
        let depth = self.depth();
        let (number, place) = (team.number, team.place);
        self.openmp.teams.push(Membership { team, index, depth, had_barrier: false });
        self.begin(ticks, Open::Team(number));
        self.enter_construct(ticks, Construct::Parallel, place);
        depth
    }

    /// Ends the work as a member of the team, unless that has happened with its last barrier. A team of one has had none.
    pub(super) fn ends_in(&mut self, ticks: u64, depth: usize) {
        self.settle();
        if let Some(membership) = self.openmp.teams.last()
            && membership.depth == depth
        {
            let place = membership.team.place;
            if !membership.had_barrier {
                self.enter_construct(ticks, Construct::ImplicitBarrier, place);
            }
            self.leave_team(ticks);
        }
    }

    fn leave_team(&mut self, ticks: u64) {
        if let Some(membership) = self.openmp.teams.pop() {
            self.end_to(ticks, membership.depth);
        }
    }

    /// Whether the barrier that begins at `address` is that at the end of the team, as far as the address tells.
    pub(super) fn is_at_end(&self, address: usize) -> bool {
        self.openmp.teams.last().is_some_and(|membership| address == 0 || address == membership.team.place)
    }

    pub(super) fn barrier_begins(&mut self, ticks: u64, barrier: Barrier, address: usize) {
        let is_over = matches!(self.openmp.unsettled, Some(Unsettled::Over(_)));
        let after = match barrier {
            Barrier::OfConstruct if is_over => After::Leave,
            Barrier::OfRuntime if is_over => After::MayLeave,
            Barrier::OfTeam => After::TeamEnd,
            _ => After::Nothing,
        };
        match after {
            After::Leave | After::MayLeave => self.openmp.unsettled = None,
            After::TeamEnd | After::Nothing => self.settle(),
        }
        let construct =
            if barrier == Barrier::Explicit { Construct::Barrier } else { Construct::ImplicitBarrier };
        let address = match self.openmp.teams.last_mut() {
            Some(membership) if barrier == Barrier::OfTeam => {
                membership.had_barrier = true;
                membership.team.place
            }
            _ => address,
        };
        let region = self.region(construct, address);
        self.begin(ticks, Open::Barrier(region, after));
    }

    pub(super) fn barrier_ends(&mut self, ticks: u64) {
        self.settle();
        let Some(Open::Barrier(_, after)) = self.innermost() else { return };
        match after {
            After::Nothing => self.end(ticks),
            After::Leave => {
                self.end(ticks);
                self.end(ticks);
            }
            After::MayLeave => {
                self.end(ticks);
                self.openmp.unsettled = Some(Unsettled::Over(ticks));
            }
            After::TeamEnd => match self.openmp.teams.last() {
                Some(Membership { team, index: 0, .. }) => {
                    team.ends(ticks);
                    self.end(ticks);
                }
                // The runtime keeps the others in the barrier until it has new work for them.
                Some(Membership { team, .. }) => {
                    let end = team.end().unwrap_or(ticks);
                    self.leave_team(end);
                }
                None => self.end(ticks),
            },
        }
    }

    /// Enters the region of a construct; that of a single's block too, on the thread that executes it.
    pub(super) fn construct_begins(
        &mut self,
        ticks: u64,
        construct: Construct,
        block: Option<Construct>,
        address: usize,
    ) {
        self.settle();
        self.enter_construct(ticks, construct, address);
        if let Some(block) = block {
            self.enter_construct(ticks, block, address);
        }
    }

    /// A construct that may have a barrier at its end is over.
    pub(super) fn work_ends(&mut self, ticks: u64, construct: Construct) {
        self.settle();
        if let Some(depth) = self.find(|open| matches!(open, Open::Construct(of, _) if of == construct)) {
            self.end_to(ticks, depth + 1);
            self.openmp.unsettled = Some(Unsettled::Over(ticks));
        }
    }

    /// The next of several sections begins.
    pub(super) fn section_begins(&mut self, ticks: u64, address: usize) {
        self.settle();
        self.leave_construct(ticks, Construct::Section);
        self.enter_construct(ticks, Construct::Section, address);
    }

    /// A construct without a barrier is over.
    pub(super) fn construct_ends(&mut self, ticks: u64, construct: Construct) {
        self.settle();
        self.leave_construct(ticks, construct);
    }

    /// A construct that takes no time, and what happens in it.
    pub(super) fn instant(&mut self, ticks: u64, construct: Construct, address: usize, event: Option<Event>) {
        self.settle();
        self.enter_construct(ticks, construct, address);
        if let Some(event) = event {
            self.push(ticks, event);
        }
        self.end(ticks);
    }

    pub(super) fn requests(&mut self, ticks: u64, mutex: Mutex, address: usize) {
        self.settle();
        match mutex {
            Mutex::Lock(construct) => {
                self.openmp.unsettled = Some(Unsettled::Request(ticks, construct));
            }
            Mutex::Critical => self.enter_construct(ticks, Construct::Critical, address),
            Mutex::Atomic => self.enter_construct(ticks, Construct::Atomic, address),
            Mutex::Ordered => self.enter_construct(ticks, Construct::Ordered, address),
        }
    }

    pub(super) fn acquires(&mut self, ticks: u64, mutex: Mutex, identity: u64, address: usize) {
        match mutex {
            Mutex::Lock(_) => self.has_lock(ticks, identity),
            Mutex::Critical => {
                let acquired = self.acquired(identity);
                self.push(ticks, acquired);
                self.enter_construct(ticks, Construct::CriticalBlock, address);
            }
            Mutex::Atomic => {}
            Mutex::Ordered => self.enter_construct(ticks, Construct::OrderedBlock, address),
        }
    }

    pub(super) fn releases(&mut self, ticks: u64, mutex: Mutex, identity: u64) {
        self.settle();
        match mutex {
            Mutex::Lock(construct) => {
                let event = self.released(identity, true);
                let unset = match construct {
                    Construct::SetNestLock | Construct::TestNestLock => Construct::UnsetNestLock,
                    _ => Construct::UnsetLock,
                };
                self.instant(ticks, unset, 0, Some(event));
            }
            Mutex::Critical => {
                self.leave_construct(ticks, Construct::CriticalBlock);
                let event = self.released(identity, true);
                self.push(ticks, event);
                self.leave_construct(ticks, Construct::Critical);
            }
            Mutex::Atomic => self.leave_construct(ticks, Construct::Atomic),
            Mutex::Ordered => self.leave_construct(ticks, Construct::Ordered),
        }
    }

    /// A nested lock that this thread has is acquired again.
    pub(super) fn reacquires(&mut self, ticks: u64, identity: u64) {
        self.has_lock(ticks, identity);
    }

    /// A nested lock is released, and not for the last time.
    pub(super) fn releases_once(&mut self, ticks: u64, identity: u64) {
        let event = self.released(identity, false);
        self.instant(ticks, Construct::UnsetNestLock, 0, Some(event));
    }

    fn has_lock(&mut self, ticks: u64, identity: u64) {
        if let Some(Unsettled::Request(requested, construct)) = self.openmp.unsettled.take() {
            self.enter_construct(requested, construct, 0);
            let acquired = self.acquired(identity);
            self.push(ticks, acquired);
            self.end(ticks);
        }
    }

    fn lock(&mut self, identity: u64) -> &'static Lock {
        self.openmp.locks.entry(identity).or_insert_with(|| lock::find(identity))
    }

    fn acquired(&mut self, identity: u64) -> Event {
        let lock = self.lock(identity);
        let held = self.openmp.held.iter().rfind(|held| held.identity == identity);
        let order = held.map(|held| held.order).unwrap_or_else(|| {
            let order = lock.acquire();
            self.openmp.held.push(Held { identity, order });
            order
        });
        Event::ThreadAcquireLock { lock: lock.number, order }
    }

    /// Another thread may have acquired it; then the last acquisition is meant.
    fn released(&mut self, identity: u64, at_last: bool) -> Event {
        let lock = self.lock(identity);
        let held = &mut self.openmp.held;
        let order = match held.iter().rposition(|held| held.identity == identity) {
            Some(at) if at_last => held.remove(at).order,
            Some(at) => held[at].order,
            None => lock.acquisitions(),
        };
        Event::ThreadReleaseLock { lock: lock.number, order }
    }

    /// Creates a task, and says what it is.
    pub(super) fn creates_task(&mut self, ticks: u64, address: usize) -> Box<Task> {
        self.openmp.tasks_created += 1;
        let (team, creator) = self.place_in_team();
        let task = Task {
            team,
            id: TaskId { creator, generation: self.openmp.tasks_created },
            region: self.region(Construct::Task, address),
        };
        let event = team.map(|team| Event::ThreadTaskCreate { team, task: task.id });
        self.instant(ticks, Construct::CreateTask, address, event);
        Box::new(task)
    }

    fn place_in_team(&self) -> (Option<TeamRef>, u32) {
        self.openmp
            .teams
            .last()
            .map_or((None, 0), |membership| (Some(membership.team.number), membership.index))
    }

    /// The thread goes on with another task: leaves the one it was in, if that is `complete` for good.
    pub(super) fn switches(&mut self, ticks: u64, prior: Option<&Task>, complete: bool, next: Next<'_>) {
        self.settle();
        if let Some(prior) = prior
            && complete
        {
            if self.is_running(prior) {
                self.suspends_to(ticks, |running| std::ptr::eq(running.task, prior));
                self.suspends_to(ticks, |running| !std::ptr::eq(running.task, prior));
            }
            if let Some(team) = prior.team {
                self.push(ticks, Event::ThreadTaskComplete { team, task: prior.id });
            }
        }
        match next {
            Next::Nothing => {}
            Next::Implicit => {
                let depth = self.openmp.teams.last().map_or(0, |membership| membership.depth + 1);
                self.suspends_to(ticks, |running| running.depth < depth);
                let (team, creator) = self.place_in_team();
                if let Some(team) = team {
                    let task = TaskId { creator, generation: 0 };
                    self.push(ticks, Event::ThreadTaskSwitch { team, task });
                }
            }
            Next::Explicit(task) => {
                let is_running = self.is_running(task);
                if is_running {
                    self.suspends_to(ticks, |running| std::ptr::eq(running.task, task));
                }
                if let Some(team) = task.team {
                    self.push(ticks, Event::ThreadTaskSwitch { team, task: task.id });
                }
                if !is_running {
                    let depth = self.depth();
                    self.openmp.tasks.push(Running { task, depth });
                    self.begin(ticks, Open::Construct(Construct::Task, task.region));
                }
            }
        }
    }

    fn is_running(&self, task: &Task) -> bool {
        self.openmp.tasks.iter().any(|running| std::ptr::eq(running.task, task))
    }

    /// Leaves the tasks within the innermost one that `stays`; they may go on later, here or elsewhere.
    fn suspends_to(&mut self, ticks: u64, stays: impl Fn(&Running) -> bool) {
        while let Some(running) = self.openmp.tasks.pop_if(|running| !stays(running)) {
            self.end_to(ticks, running.depth);
        }
    }
}

/// The task that a thread goes on with.
#[derive(Clone, Copy, Debug)]
pub(super) enum Next<'a> {
    /// It is not said.
    Nothing,
    Implicit,
    Explicit(&'a Task),
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chunk::Chunk;

    /// What was recorded, from call to call: the names of constructs by their depth, events by their kinds.
    fn listing(mut buffer: Buffer) -> Vec<String> {
        buffer.close();
        let regions = region::all();
        let mut depth = 0;
        let mut lines = Vec::new();
        for (ticks, event) in buffer.take(|_| true).iter().flat_map(Chunk::iter) {
            let name = |region: RegionRef| {
                let name = ats_model::openmp::without_place(&regions[region.0 as usize].name);
                name.trim_start_matches("!$omp ").to_owned()
            };
            match event {
                Event::Enter { region } => {
                    lines.push(format!("{}{} {ticks}", "  ".repeat(depth), name(region)));
                    depth += 1;
                }
                Event::Leave { region } => {
                    depth -= 1;
                    lines.push(format!("{}/{} {ticks}", "  ".repeat(depth), name(region)));
                }
                Event::ThreadAcquireLock { order, .. } => lines.push(format!("acquire {order}")),
                Event::ThreadReleaseLock { order, .. } => lines.push(format!("release {order}")),
                Event::ThreadTaskSwitch { task, .. } => lines.push(format!("switch {}", task.generation)),
                Event::ThreadTaskComplete { task, .. } => lines.push(format!("complete {}", task.generation)),
                _ => {}
            }
        }
        lines
    }

    fn lines(text: &str) -> Vec<String> {
        text.lines().map(str::to_owned).collect()
    }

    #[test]
    fn a_barrier_belongs_to_the_construct_before_it_unless_that_has_none() {
        let mut buffer = Buffer::new(0);
        for (begin, barrier) in [(10, Some(Barrier::OfConstruct)), (20, Some(Barrier::Explicit)), (30, None)]
        {
            buffer.construct_begins(begin, Construct::For, None, 0x100);
            buffer.work_ends(begin + 1, Construct::For);
            if let Some(barrier) = barrier {
                buffer.barrier_begins(begin + 2, barrier, 0x200);
                buffer.barrier_ends(begin + 3);
            }
        }
        buffer.construct_begins(40, Construct::Master, None, 0x300);
        buffer.construct_ends(41, Construct::Master);
        let expected = "\
for 10
  implicit barrier 12
  /implicit barrier 13
/for 13
for 20
/for 21
barrier 22
/barrier 23
for 30
/for 31
master 40
/master 41";
        assert_eq!(listing(buffer), lines(expected));
    }

    #[test]
    fn a_barrier_of_the_runtime_leaves_room_for_that_of_the_construct() {
        let mut buffer = Buffer::new(0);
        buffer.construct_begins(1, Construct::Single, Some(Construct::SingleBlock), 0x100);
        buffer.work_ends(2, Construct::Single);
        for (begin, barrier) in [(3, Barrier::OfRuntime), (5, Barrier::OfConstruct)] {
            buffer.barrier_begins(begin, barrier, 0x200);
            buffer.barrier_ends(begin + 1);
        }
        let expected = "\
single 1
  single sblock 1
  /single sblock 2
  implicit barrier 3
  /implicit barrier 4
  implicit barrier 5
  /implicit barrier 6
/single 6";
        assert_eq!(listing(buffer), lines(expected));
    }

    #[test]
    fn sections_follow_each_other_within_their_construct() {
        let mut buffer = Buffer::new(0);
        buffer.construct_begins(1, Construct::Sections, None, 0x100);
        buffer.section_begins(2, 0x110);
        buffer.section_begins(3, 0x120);
        buffer.work_ends(4, Construct::Sections);
        buffer.barrier_begins(5, Barrier::OfConstruct, 0x130);
        buffer.barrier_ends(6);
        let expected = "\
sections 1
  section 2
  /section 3
  section 3
  /section 4
  implicit barrier 5
  /implicit barrier 6
/sections 6";
        assert_eq!(listing(buffer), lines(expected));
    }

    #[test]
    fn a_member_leaves_the_team_when_all_have_arrived_however_long_the_runtime_keeps_it() {
        let team = Arc::new(Team::new(0x100, false));
        let [mut master, mut worker] = [0, 1].map(Buffer::new);
        let depths = [master.begins_in(1, team.clone(), 0, 2), worker.begins_in(2, team.clone(), 1, 2)];
        assert!(master.is_at_end(0x100) && worker.is_at_end(0) && !worker.is_at_end(0x200));
        worker.barrier_begins(3, Barrier::OfTeam, 0);
        master.barrier_begins(7, Barrier::OfTeam, 0x100);
        master.barrier_ends(8);
        master.ends_in(9, depths[0]);
        let of_worker = "\
parallel 2
  implicit barrier 3
  /implicit barrier 8
/parallel 8";
        assert_eq!(listing(worker), lines(of_worker), "it is still in the barrier for the runtime");
        let of_master = "\
parallel 1
  implicit barrier 7
  /implicit barrier 8
/parallel 9";
        assert_eq!(listing(master), lines(of_master));
    }

    #[test]
    fn a_request_for_a_lock_that_is_not_granted_was_a_test() {
        let mut buffer = Buffer::new(0);
        let set = Mutex::Lock(Construct::SetLock);
        buffer.requests(1, set, 0);
        buffer.requests(2, set, 0);
        buffer.acquires(3, set, 0x1_0001, 0);
        buffer.releases(4, set, 0x1_0001);
        let nested = Mutex::Lock(Construct::SetNestLock);
        buffer.requests(5, nested, 0);
        buffer.acquires(6, nested, 0x1_0002, 0);
        buffer.requests(7, nested, 0);
        buffer.reacquires(8, 0x1_0002);
        buffer.releases_once(9, 0x1_0002);
        buffer.releases(10, nested, 0x1_0002);
        let expected = "\
omp_test_lock 1
/omp_test_lock 1
omp_set_lock 2
acquire 1
/omp_set_lock 3
omp_unset_lock 4
release 1
/omp_unset_lock 4
omp_set_nest_lock 5
acquire 1
/omp_set_nest_lock 6
omp_set_nest_lock 7
acquire 1
/omp_set_nest_lock 8
omp_unset_nest_lock 9
release 1
/omp_unset_nest_lock 9
omp_unset_nest_lock 10
release 1
/omp_unset_nest_lock 10";
        assert_eq!(listing(buffer), lines(expected));
    }

    #[test]
    fn a_task_that_is_suspended_is_left_and_entered_again_where_it_goes_on() {
        let team = Arc::new(Team::new(0x100, false));
        let mut buffers = [0, 1].map(Buffer::new);
        for (index, buffer) in (0..).zip(&mut buffers) {
            buffer.begins_in(0, team.clone(), index, 2);
        }
        let [first, second] = &mut buffers;
        let task = first.creates_task(1, 0x200);
        first.switches(2, None, false, Next::Explicit(&task));
        let inner = first.creates_task(3, 0x300);
        first.construct_begins(4, Construct::TaskWait, None, 0x400);
        first.switches(5, Some(&task), false, Next::Explicit(&inner));
        first.switches(6, Some(&inner), true, Next::Explicit(&task));
        first.switches(7, Some(&task), false, Next::Implicit);
        second.switches(8, None, false, Next::Explicit(&task));
        // Its waiting began on the other thread.
        second.construct_ends(9, Construct::TaskWait);
        second.switches(10, Some(&task), true, Next::Implicit);
        team.ends(11);
        let [first, second] = buffers.map(listing);
        let tasks = |lines: Vec<String>| {
            lines.into_iter().filter(|line| !line.contains("parallel")).collect::<Vec<_>>()
        };
        let of_first = "  create task 1
  /create task 1
switch 1
  task 2
    create task 3
    /create task 3
    taskwait 4
switch 2
      task 5
      /task 6
complete 2
switch 1
    /taskwait 7
  /task 7
switch 0";
        assert_eq!(tasks(first), lines(of_first));
        let of_second = "\
switch 1
  task 8
  /task 10
complete 1
switch 0";
        assert_eq!(tasks(second), lines(of_second));
    }
}
