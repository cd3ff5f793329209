#![allow(unsafe_code, reason = "locks and tasks are handed over by unsafe contracts")]
//! The thread of a team: a plain id.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use ats_model::openmp::Construct;
use ats_omp::{Lock, LockKind, Reduction, Schedule, TaskQueue, Thread};

use crate::kernel::call::Frame;
use crate::kernel::error::SimulationError;
use crate::kernel::state::Kernel;
use crate::kernel::time::Picoseconds;
use crate::openmp::construct;
use crate::openmp::rest::{Point, Step};
use crate::openmp::share::block;
use crate::openmp::state::Omp;
use crate::openmp::task::Task;
use crate::world::{in_order, in_order_at, kernel, omp, pause};

/// A thread of a team in virtual time.
#[derive(Debug)]
pub struct VirtualThread {
    team: u32,
    number: u32,
    threads: u32,
}

/// Works on the world; an error ends the simulation.
fn try_omp<R>(work: impl FnOnce(&mut Omp, &mut Kernel<'_>) -> Result<R, SimulationError>) -> R {
    omp(work).unwrap_or_else(|failure| std::panic::resume_unwind(Box::new(failure)))
}

/// Waits until nothing can happen before this location's clock any more; a replay obeys its stamps instead.
fn in_turn(frame: &Frame) {
    if !frame.is_pinned() {
        in_order_at(frame.enter);
    }
}

/// The choice of a real run in a construct.
fn choice(frame: &Frame) -> Option<u32> {
    kernel(|kernel| kernel.choice(frame))
}

/// The same where it chose several times.
fn choices(frame: &Frame) -> Option<Vec<u32>> {
    kernel(|kernel| kernel.choices(frame).map(Iterator::collect))
}

/// Leaves a construct at the clock, or when a real run left it.
fn leave(frame: &Frame) {
    kernel(|kernel| kernel.leave(frame));
}

impl VirtualThread {
    /// The coroutine that runs begins as a member of its team.
    pub(crate) fn begin() -> Self {
        let (team, number, threads) = omp(|omp, kernel| omp.begin_member(kernel));
        VirtualThread { team, number, threads }
    }

    /// Enters a construct of the thread's team.
    fn enter(&self, construct: Construct) -> Frame {
        let team = self.team;
        try_omp(|omp, kernel| {
            if omp.member(kernel).is_some_and(|member| member.team == team) {
                return Ok(construct::enter(kernel, construct));
            }
            let name = construct.region();
            Err(kernel.misuse(format!("{name} of a team that this thread does not work in now")))
        })
    }

    /// Executes `body` in a construct.
    fn within<R>(&self, construct: Construct, body: impl FnOnce() -> R) -> R {
        let frame = self.enter(construct);
        let result = body();
        leave(&frame);
        result
    }

    /// Waits for all threads of the team.
    pub(crate) fn meet(&self, construct: Construct, point: Point) {
        let frame = self.enter(construct);
        try_omp(|omp, kernel| omp.reach(kernel, &frame, construct, point));
        let executed = rest();
        omp(|omp, kernel| omp.leave_barrier(kernel, &frame, construct, executed));
    }

    /// A worksharing construct: `share` executes this thread's part of the instance it is given.
    fn worksharing(&self, construct: Construct, nowait: bool, share: impl FnOnce(&Frame, u32)) {
        let frame = self.enter(construct);
        let instance = try_omp(|omp, kernel| omp.begin_worksharing(kernel, construct));
        share(&frame, instance);
        omp(|omp, kernel| omp.end_worksharing(kernel, instance));
        if !nowait {
            self.meet(Construct::ImplicitBarrier, Point::Barrier);
        }
        leave(&frame);
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
                if let Some(choices) = choices(frame) {
                    choices.chunks_exact(2).for_each(|chunk| run(chunk[0] as usize..chunk[1] as usize));
                    return;
                }
                let next = || {
                    in_order();
                    omp(|omp, kernel| omp.next_chunk(kernel, instance, iterations, schedule))
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
            omp(|omp, kernel| omp.mark_exchangeable(kernel));
            let section = |section: usize| self.within(Construct::Section, || body(section));
            match choices(frame) {
                Some(choices) => choices.into_iter().for_each(|chosen| section(chosen as usize)),
                // As clang shares them out over libomp.
                None => block(sections, self.threads as usize, self.number as usize).for_each(section),
            }
        });
    }

    fn share_single(&self, nowait: bool, body: impl FnOnce()) {
        self.worksharing(Construct::Single, nowait, |frame, instance| {
            in_turn(frame);
            let executes = match choice(frame) {
                Some(chosen) => chosen == 1,
                None => omp(|omp, kernel| omp.takes_single(kernel, instance)),
            };
            if executes {
                self.within(Construct::SingleBlock, body);
            }
        });
    }

    fn ordered(&self, instance: u32, iteration: usize, body: impl FnOnce()) {
        let frame = self.enter(Construct::Ordered);
        if !omp(|omp, kernel| omp.reach_turn(kernel, instance, iteration)) {
            pause();
        }
        omp(|omp, kernel| omp.begin_turn(kernel, &frame, instance));
        self.within(Construct::OrderedBlock, body);
        omp(|omp, kernel| omp.end_turn(kernel, instance));
        leave(&frame);
    }

    /// Asks for a lock and waits until this thread has it.
    fn acquire(&self, frame: &Frame, construct: Construct, lock: u32, may_nest: bool) {
        in_turn(frame);
        let turn = choice(frame);
        if turn.is_none() && frame.is_pinned() {
            try_omp::<()>(|_, kernel| {
                let unnumbered = format!("it has no number for {}", kernel.regions.name(frame.region));
                Err(kernel.misfit(kernel.current, unnumbered))
            });
        }
        self.await_lock(frame, construct, lock, turn, may_nest);
    }

    fn await_lock(&self, frame: &Frame, construct: Construct, lock: u32, turn: Option<u32>, may_nest: bool) {
        if !omp(|omp, kernel| omp.request_lock(kernel, lock, turn, may_nest)) {
            pause();
        }
        omp(|omp, kernel| omp.lock_acquired(kernel, frame, construct, lock));
    }
}

/// Rests at a barrier or taskwait until the thread can go on; returns how long it has executed tasks meanwhile.
fn rest() -> Picoseconds {
    let mut executed = 0;
    loop {
        match omp(|omp, kernel| omp.next_step(kernel)) {
            Step::GoOn => return executed,
            Step::Wait => pause(),
            Step::Execute(task) => executed += execute(task),
        }
    }
}

/// Executes a task; returns how long that took.
fn execute(task: Task) -> Picoseconds {
    let frame = kernel(|kernel| construct::before(kernel, Construct::Task));
    let interrupted = try_omp(|omp, kernel| omp.begin_task(kernel, &frame, &task));
    (task.body)();
    omp(|omp, kernel| omp.end_task(kernel, &frame, interrupted))
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
            self.within(Construct::Master, body);
        }
    }

    fn critical<R>(&self, name: &'static str, body: impl FnOnce() -> R) -> R {
        let frame = self.enter(Construct::Critical);
        let lock = omp(|omp, kernel| omp.critical(kernel, name));
        self.acquire(&frame, Construct::Critical, lock, false);
        let result = self.within(Construct::CriticalBlock, body);
        omp(|omp, kernel| omp.release_lock(kernel, lock));
        leave(&frame);
        result
    }

    fn with_lock<R>(&self, lock: &Lock, body: impl FnOnce() -> R) -> R {
        let (set, unset, may_nest) = match lock.kind() {
            LockKind::Simple => (Construct::SetLock, Construct::UnsetLock, false),
            LockKind::Nested => (Construct::SetNestLock, Construct::UnsetNestLock, true),
        };
        let frame = self.enter(set);
        self.acquire(&frame, set, number(lock), may_nest);
        leave(&frame);
        self.while_locked(unset, number(lock), body)
    }

    fn try_with_lock<R>(&self, lock: &Lock, body: impl FnOnce() -> R) -> Option<R> {
        let (test, unset, may_nest) = match lock.kind() {
            LockKind::Simple => (Construct::TestLock, Construct::UnsetLock, false),
            LockKind::Nested => (Construct::TestNestLock, Construct::UnsetNestLock, true),
        };
        let frame = self.enter(test);
        in_order_at(frame.enter);
        let acquired = match choice(&frame) {
            Some(chosen) => chosen == 1,
            None => omp(|omp, kernel| omp.is_free(kernel, number(lock), may_nest)),
        };
        if acquired {
            self.await_lock(&frame, test, number(lock), None, may_nest);
        } else {
            kernel(|kernel| kernel.poll());
        }
        leave(&frame);
        acquired.then(|| self.while_locked(unset, number(lock), body))
    }

    fn atomic(&self, target: &AtomicU64, update: impl Fn(u64) -> u64) {
        self.within(Construct::Atomic, || {
            target.store(update(target.load(Ordering::Relaxed)), Ordering::Relaxed);
        });
    }

    fn reduce(&self, value: f64, sum: &Reduction) {
        self.within(Construct::Reduction, || sum.add(value));
    }

    fn taskwait(&self) {
        let frame = self.enter(Construct::TaskWait);
        omp(|omp, kernel| omp.reach_taskwait(kernel));
        let executed = rest();
        omp(|omp, kernel| omp.leave_taskwait(kernel, &frame, executed));
    }

    fn flush(&self) {
        self.within(Construct::Flush, || ());
    }

    fn queue(&self) -> &dyn TaskQueue {
        self
    }
}

impl VirtualThread {
    /// Executes `body`, then gives the lock back.
    fn while_locked<R>(&self, unset: Construct, lock: u32, body: impl FnOnce() -> R) -> R {
        let result = body();
        self.within(unset, || omp(|omp, kernel| omp.release_lock(kernel, lock)));
        result
    }
}

// SAFETY: a team's barriers execute its tasks, and a simulation that fails drops them before it unwinds what they borrow.
unsafe impl TaskQueue for VirtualThread {
    unsafe fn push(&self, task: Box<dyn FnOnce() + Send>) {
        // A task may create tasks, too, on any thread: it has no handle of that.
        let frame = kernel(|kernel| construct::enter(kernel, Construct::CreateTask));
        in_turn(&frame);
        if let Some(task) = omp(|omp, kernel| omp.create_task(kernel, &frame, task)) {
            execute(task);
        }
        leave(&frame);
    }
}
