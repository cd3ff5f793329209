#![allow(unsafe_code, reason = "teams, locks and tasks are handed over by unsafe contracts")]
//! Teams and threads as programs see them: plain ids; world and location come from the coroutine they are used in.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use ats_model::openmp::Construct;
use ats_omp::{Lock, LockKind, Reduction, Schedule, TaskQueue, Team, Thread};

use crate::SimulationError;
use crate::barrier::{Point, Step};
use crate::call::Frame;
use crate::task::Task;
use crate::time::Picoseconds;
use crate::worker::parallel;
use crate::worksharing::block;
use crate::world::{World, in_order_at, pause, world};

/// Starts parallel regions in virtual time.
#[derive(Clone, Copy, Debug)]
pub struct VirtualTeam {
    threads: usize,
}

impl VirtualTeam {
    pub(crate) fn new(threads: usize) -> Self {
        VirtualTeam { threads }
    }
}

// SAFETY: the members that `parallel` starts get threads of its team, and meet, when no task is left, at its end.
unsafe impl Team for VirtualTeam {
    type Thread = VirtualThread;

    fn max_threads(&self) -> usize {
        self.threads
    }

    fn parallel<F: Fn(&VirtualThread) + Sync>(&self, threads: usize, body: F) {
        parallel(threads, &body);
    }

    fn new_lock(&self, kind: LockKind) -> Lock {
        let number = world(|world| world.threads.locks.make());
        // SAFETY: there is nothing to destroy; the world forgets its locks with itself.
        unsafe { Lock::new(kind, number as usize, |_, _| ()) }
    }
}

/// A thread of a team in virtual time.
#[derive(Debug)]
pub struct VirtualThread {
    team: u32,
    number: u32,
    threads: u32,
}

/// Works on the world; an error ends the simulation.
fn try_world<R>(work: impl FnOnce(&mut World<'_>) -> Result<R, SimulationError>) -> R {
    world(work).unwrap_or_else(|failure| std::panic::resume_unwind(Box::new(failure)))
}

/// Waits until nothing can happen before this location's clock any more; a replay obeys its stamps instead.
fn in_turn(frame: &Frame) {
    if !frame.is_pinned() {
        in_order_at(frame.enter);
    }
}

impl VirtualThread {
    /// The coroutine that runs begins as a member of its team.
    pub(crate) fn begin() -> Self {
        let (team, number, threads) = world(|world| world.begin_member());
        VirtualThread { team, number, threads }
    }

    /// Enters a construct of the thread's team.
    fn enter(&self, construct: Construct) -> Frame {
        let team = self.team;
        try_world(|world| {
            if world.member().is_some_and(|member| member.team == team) {
                return Ok(());
            }
            let name = construct.region();
            Err(world.misuse(format!("{name} of a team that this thread does not work in now")))
        });
        Frame::construct(construct)
    }

    /// Waits for all threads of the team.
    pub(crate) fn meet(&self, construct: Construct, point: Point) {
        let frame = self.enter(construct);
        try_world(|world| world.reach(&frame, point));
        let executed = rest();
        world(|world| world.leave_barrier(&frame, executed));
    }

    /// A worksharing construct: `share` executes this thread's part of the instance it is given.
    fn worksharing(&self, construct: Construct, nowait: bool, share: impl FnOnce(&Frame, u32)) {
        let frame = self.enter(construct);
        let instance = try_world(|world| world.begin_worksharing(construct));
        share(&frame, instance);
        world(|world| world.end_worksharing(instance));
        if !nowait {
            self.meet(Construct::ImplicitBarrier, Point::Barrier);
        }
        frame.leave();
    }

    /// Executes this thread's chunks of a loop.
    fn chunks(
        &self,
        frame: &Frame,
        instance: u32,
        iterations: usize,
        schedule: Schedule,
        run: impl Fn(Range<usize>),
    ) {
        let (threads, number) = (self.threads as usize, self.number as usize);
        match schedule {
            Schedule::Static => run(block(iterations, threads, number)),
            Schedule::StaticChunk(chunk) => {
                let chunk = chunk.max(1);
                for start in (number * chunk..iterations).step_by(threads * chunk) {
                    run(start..iterations.min(start + chunk));
                }
            }
            Schedule::Dynamic(_) | Schedule::DynamicNonmonotonic(_) | Schedule::Guided(_) => {
                if let Some(choices) = frame.choices() {
                    choices.chunks_exact(2).for_each(|chunk| run(chunk[0] as usize..chunk[1] as usize));
                    return;
                }
                let next = || {
                    in_order_at(world(|world| world.here().clock));
                    world(|world| world.next_chunk(instance, iterations, schedule))
                };
                while let Some(chunk) = next() {
                    run(chunk);
                }
            }
        }
    }

    fn share_loop(&self, iterations: usize, schedule: Schedule, nowait: bool, body: impl Fn(usize)) {
        self.worksharing(Construct::For, nowait, |frame, instance| {
            self.chunks(frame, instance, iterations, schedule, |chunk| chunk.for_each(&body));
        });
    }

    fn share_sections(&self, sections: usize, nowait: bool, body: impl Fn(usize)) {
        self.worksharing(Construct::Sections, nowait, |frame, _| {
            world(|world| world.exchangeable());
            let section = |section: usize| {
                let frame = self.enter(Construct::Section);
                body(section);
                frame.leave();
            };
            match frame.choices() {
                Some(choices) => choices.into_iter().for_each(|chosen| section(chosen as usize)),
                // As clang shares them out over libomp.
                None => block(sections, self.threads as usize, self.number as usize).for_each(section),
            }
        });
    }

    fn share_single(&self, nowait: bool, body: impl FnOnce()) {
        self.worksharing(Construct::Single, nowait, |frame, instance| {
            in_turn(frame);
            let executes = match frame.choice() {
                Some(chosen) => chosen == 1,
                None => world(|world| world.takes_single(instance)),
            };
            if executes {
                let frame = self.enter(Construct::SingleBlock);
                body();
                frame.leave();
            }
        });
    }

    fn ordered(&self, instance: u32, iteration: usize, body: impl FnOnce()) {
        let frame = self.enter(Construct::Ordered);
        if !world(|world| world.reach_turn(instance, iteration)) {
            pause();
        }
        world(|world| world.begin_turn(&frame, instance));
        let block = self.enter(Construct::OrderedBlock);
        body();
        block.leave();
        world(|world| world.end_turn(instance));
        frame.leave();
    }

    /// Asks for a lock and waits until this thread has it.
    fn acquire(&self, frame: &Frame, lock: u32, may_nest: bool) {
        in_turn(frame);
        let turn = frame.choice();
        if turn.is_none() && frame.is_pinned() {
            let unnumbered = format!("it has no number for {}", frame.name);
            try_world::<()>(|world| Err(world.misfit(world.current, unnumbered)));
        }
        self.await_lock(frame, lock, turn, may_nest);
    }

    fn await_lock(&self, frame: &Frame, lock: u32, turn: Option<u32>, may_nest: bool) {
        if !world(|world| world.request_lock(lock, turn, may_nest)) {
            pause();
        }
        world(|world| world.lock_acquired(frame, lock));
    }
}

/// Rests at a barrier or taskwait until the thread can go on; returns how long it has executed tasks meanwhile.
fn rest() -> Picoseconds {
    let mut executed = 0;
    loop {
        match world(|world| world.next_step()) {
            Step::GoOn => return executed,
            Step::Wait => pause(),
            Step::Execute(task) => executed += execute(task),
        }
    }
}

/// Executes a task; returns how long that took.
fn execute(task: Task) -> Picoseconds {
    let frame = Frame::before(Construct::Task);
    let interrupted = try_world(|world| world.begin_task(&frame, &task));
    (task.body)();
    world(|world| world.end_task(&frame, interrupted))
}

/// The number of a lock that a virtual team has made.
fn number(lock: &Lock) -> u32 {
    // SAFETY: the word is written when the lock is made, and never again.
    unsafe { *lock.word() as u32 }
}

impl Thread for VirtualThread {
    fn number(&self) -> usize {
        self.number as usize
    }

    fn threads(&self) -> usize {
        self.threads as usize
    }

    fn barrier(&self) {
        self.meet(Construct::Barrier, Point::Barrier);
    }

    fn for_each(&self, iterations: usize, schedule: Schedule, body: impl Fn(usize)) {
        self.share_loop(iterations, schedule, false, body);
    }

    fn for_each_nowait(&self, iterations: usize, schedule: Schedule, body: impl Fn(usize)) {
        self.share_loop(iterations, schedule, true, body);
    }

    fn for_ordered(
        &self,
        iterations: usize,
        schedule: Schedule,
        parallel: impl Fn(usize),
        ordered: impl Fn(usize),
    ) {
        self.worksharing(Construct::For, false, |frame, instance| {
            self.chunks(frame, instance, iterations, schedule, |chunk| {
                chunk.for_each(|iteration| {
                    parallel(iteration);
                    self.ordered(instance, iteration, || ordered(iteration));
                });
            });
        });
    }

    fn sections(&self, sections: usize, body: impl Fn(usize)) {
        self.share_sections(sections, false, body);
    }

    fn sections_nowait(&self, sections: usize, body: impl Fn(usize)) {
        self.share_sections(sections, true, body);
    }

    fn single(&self, body: impl FnOnce()) {
        self.share_single(false, body);
    }

    fn single_nowait(&self, body: impl FnOnce()) {
        self.share_single(true, body);
    }

    fn master(&self, body: impl FnOnce()) {
        if self.number == 0 {
            let frame = self.enter(Construct::Master);
            body();
            frame.leave();
        }
    }

    fn critical<R>(&self, name: &'static str, body: impl FnOnce() -> R) -> R {
        let frame = self.enter(Construct::Critical);
        let lock = world(|world| {
            let rank = world.thread().rank;
            world.threads.locks.critical(rank, name)
        });
        self.acquire(&frame, lock, false);
        let block = self.enter(Construct::CriticalBlock);
        let result = body();
        block.leave();
        world(|world| world.release_lock(lock));
        frame.leave();
        result
    }

    fn with_lock<R>(&self, lock: &Lock, body: impl FnOnce() -> R) -> R {
        let (set, unset, may_nest) = match lock.kind() {
            LockKind::Simple => (Construct::SetLock, Construct::UnsetLock, false),
            LockKind::Nested => (Construct::SetNestLock, Construct::UnsetNestLock, true),
        };
        let frame = self.enter(set);
        self.acquire(&frame, number(lock), may_nest);
        frame.leave();
        self.while_locked(unset, number(lock), body)
    }

    fn try_with_lock<R>(&self, lock: &Lock, body: impl FnOnce() -> R) -> Option<R> {
        let (test, unset, may_nest) = match lock.kind() {
            LockKind::Simple => (Construct::TestLock, Construct::UnsetLock, false),
            LockKind::Nested => (Construct::TestNestLock, Construct::UnsetNestLock, true),
        };
        let frame = self.enter(test);
        in_order_at(frame.enter);
        let acquired = match frame.choice() {
            Some(chosen) => chosen == 1,
            None => world(|world| world.is_free(number(lock), may_nest)),
        };
        if acquired {
            self.await_lock(&frame, number(lock), None, may_nest);
        } else {
            world(|world| world.poll());
        }
        frame.leave();
        acquired.then(|| self.while_locked(unset, number(lock), body))
    }

    fn atomic(&self, target: &AtomicU64, update: impl Fn(u64) -> u64) {
        let frame = self.enter(Construct::Atomic);
        target.store(update(target.load(Ordering::Relaxed)), Ordering::Relaxed);
        frame.leave();
    }

    fn reduce(&self, value: f64, sum: &Reduction) {
        let frame = self.enter(Construct::Reduction);
        sum.add(value);
        frame.leave();
    }

    fn taskwait(&self) {
        let frame = self.enter(Construct::TaskWait);
        world(|world| world.reach_taskwait());
        let executed = rest();
        world(|world| world.leave_taskwait(&frame, executed));
    }

    fn flush(&self) {
        self.enter(Construct::Flush).leave();
    }

    fn queue(&self) -> &dyn TaskQueue {
        self
    }
}

impl VirtualThread {
    /// Executes `body`, then gives the lock back.
    fn while_locked<R>(&self, unset: Construct, lock: u32, body: impl FnOnce() -> R) -> R {
        let result = body();
        let frame = self.enter(unset);
        world(|world| world.release_lock(lock));
        frame.leave();
        result
    }
}

// SAFETY: a team's barriers execute its tasks, and a simulation that fails drops them before it unwinds what they borrow.
unsafe impl TaskQueue for VirtualThread {
    unsafe fn push(&self, task: Box<dyn FnOnce() + Send>) {
        // A task may create tasks, too, on any thread: it has no handle of that.
        let frame = Frame::construct(Construct::CreateTask);
        in_turn(&frame);
        if let Some(task) = world(|world| world.create_task(&frame, task)) {
            execute(task);
        }
        frame.leave();
    }
}
