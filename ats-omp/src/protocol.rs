#![allow(unsafe_code, reason = "counts acquisitions while the lock is held")]
//! Common part of the real engines: they execute every construct in the same steps, and log them in the same way.
//!
//! An engine gives the steps ([`Runtime`]); [`Thread`] of every such engine is written here, once. All of it is inlined
//! into the property that uses a construct, so that a runtime sees a call of its own from there.

mod criticals;
mod end;
mod task;

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use ats_model::openmp::Construct;
use ats_work::log::{self, Entered, Fork};

pub(crate) use criticals::Criticals;
pub(crate) use end::{check_asked, end_program};
pub(crate) use task::NumberedTask;

use crate::{Lock, LockKind, Reduction, Schedule, TaskQueue, Thread};

/// The kind of a barrier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Barrier {
    Explicit,
    Loop,
    Sections,
    Single,
}

/// The steps that constructs consist of, on a thread of a team.
///
/// # Safety
/// Locks exclude, and a deferred task is executed before the region ends.
pub(crate) unsafe trait Runtime: Sized {
    fn number(&self) -> usize;
    fn threads(&self) -> usize;
    fn barrier(&self, which: Barrier);
    /// Runs every chunk of the loop that falls to this thread.
    fn chunks(&self, iterations: usize, schedule: Schedule, chunk: impl FnMut(Range<usize>));
    /// As `chunks`, for a loop whose iterations take turns.
    fn ordered_chunks(&self, iterations: usize, schedule: Schedule, chunk: impl FnMut(Range<usize>));
    /// Waits until it is this iteration's turn.
    fn begin_turn(&self, iteration: usize);
    /// The next iteration's turn has come.
    fn end_turn(&self, iteration: usize);
    /// Runs the block of sections that falls to this thread.
    fn section_block(&self, sections: usize, block: impl FnMut(Range<usize>));
    /// Whether this thread executes a single's body.
    fn begin_single(&self) -> bool;
    /// Only the executing thread ends it.
    fn end_single(&self);
    /// Whether this thread executes a master's body.
    fn begin_master(&self) -> bool;
    fn end_master(&self);
    /// The lock of a critical.
    fn critical_lock(&self, name: &'static str) -> &'static Lock;
    fn begin_critical(&self, lock: &Lock);
    fn end_critical(&self, lock: &Lock);
    fn set(&self, lock: &Lock);
    fn unset(&self, lock: &Lock);
    /// Whether the lock was free; this thread has it then.
    fn test(&self, lock: &Lock) -> bool;
    /// Runs an update of a place in memory.
    fn update(&self, update: impl FnOnce());
    /// Runs an addition to a reduction's sum.
    fn combine(&self, add: impl FnOnce());
    fn flush(&self);
    fn wait_for_tasks(&self);
    /// Has the task executed at a scheduling point of some thread of the team, or at once.
    ///
    /// # Safety
    /// Everything that the task borrows outlives the region.
    unsafe fn defer(&self, task: NumberedTask);
}

#[inline(always)]
fn enter(construct: Construct) -> Entered {
    log::enter(construct.region())
}

/// Runs the content of a construct.
#[inline(always)]
fn inside<R>(construct: Construct, run: impl FnOnce() -> R) -> R {
    let entered = enter(construct);
    let result = run();
    log::leave(entered);
    result
}

#[inline(always)]
fn barrier(thread: &impl Runtime, construct: Construct, which: Barrier) {
    let entered = enter(construct);
    thread.barrier(which);
    log::leave(entered);
}

#[inline(always)]
fn implicit_barrier(thread: &impl Runtime, which: Barrier) {
    barrier(thread, Construct::ImplicitBarrier, which);
}

#[inline(always)]
fn run_loop(thread: &impl Runtime, iterations: usize, schedule: Schedule, body: impl Fn(usize)) -> Entered {
    let entered = enter(Construct::For);
    thread.chunks(iterations, schedule, |chunk| {
        choose_chunk(entered, schedule, &chunk);
        chunk.for_each(&body);
    });
    entered
}

#[inline(always)]
fn run_sections(thread: &impl Runtime, sections: usize, body: impl Fn(usize)) -> Entered {
    let entered = enter(Construct::Sections);
    thread.section_block(sections, |block| {
        for section in block {
            log::choose(entered, section as u32);
            inside(Construct::Section, || body(section));
        }
    });
    entered
}

#[inline(always)]
fn run_single(thread: &impl Runtime, body: impl FnOnce()) -> Entered {
    let entered = enter(Construct::Single);
    let executes = thread.begin_single();
    log::choose(entered, executes.into());
    if executes {
        inside(Construct::SingleBlock, body);
        thread.end_single();
    }
    entered
}

#[inline(always)]
fn choose_chunk(entered: Entered, schedule: Schedule, chunk: &Range<usize>) {
    if !schedule.is_static() {
        log::choose(entered, chunk.start as u32);
        log::choose(entered, chunk.end as u32);
    }
}

#[inline(always)]
fn unset(thread: &impl Runtime, lock: &Lock) {
    let entered = enter(of_kind(lock, Construct::UnsetLock, Construct::UnsetNestLock));
    // SAFETY: this thread has the lock.
    unsafe { lock.count_release() };
    thread.unset(lock);
    log::leave(entered);
}

fn of_kind(lock: &Lock, simple: Construct, nested: Construct) -> Construct {
    match lock.kind() {
        LockKind::Simple => simple,
        LockKind::Nested => nested,
    }
}

impl<T: Runtime> Thread for T {
    #[inline(always)]
    fn number(&self) -> usize {
        Runtime::number(self)
    }

    #[inline(always)]
    fn threads(&self) -> usize {
        Runtime::threads(self)
    }

    #[inline(always)]
    fn barrier(&self) {
        barrier(self, Construct::Barrier, Barrier::Explicit);
    }

    #[inline(always)]
    fn for_each(&self, iterations: usize, schedule: Schedule, body: impl Fn(usize)) {
        let entered = run_loop(self, iterations, schedule, body);
        implicit_barrier(self, Barrier::Loop);
        log::leave(entered);
    }

    #[inline(always)]
    fn for_each_nowait(&self, iterations: usize, schedule: Schedule, body: impl Fn(usize)) {
        log::leave(run_loop(self, iterations, schedule, body));
    }

    #[inline(always)]
    fn for_ordered(
        &self,
        iterations: usize,
        schedule: Schedule,
        parallel: impl Fn(usize),
        ordered: impl Fn(usize),
    ) {
        let entered = enter(Construct::For);
        self.ordered_chunks(iterations, schedule, |chunk| {
            choose_chunk(entered, schedule, &chunk);
            for iteration in chunk {
                parallel(iteration);
                let turn = enter(Construct::Ordered);
                self.begin_turn(iteration);
                inside(Construct::OrderedBlock, || ordered(iteration));
                self.end_turn(iteration);
                log::leave(turn);
            }
        });
        implicit_barrier(self, Barrier::Loop);
        log::leave(entered);
    }

    #[inline(always)]
    fn sections(&self, sections: usize, body: impl Fn(usize)) {
        let entered = run_sections(self, sections, body);
        implicit_barrier(self, Barrier::Sections);
        log::leave(entered);
    }

    #[inline(always)]
    fn sections_nowait(&self, sections: usize, body: impl Fn(usize)) {
        log::leave(run_sections(self, sections, body));
    }

    #[inline(always)]
    fn single(&self, body: impl FnOnce()) {
        let entered = run_single(self, body);
        implicit_barrier(self, Barrier::Single);
        log::leave(entered);
    }

    #[inline(always)]
    fn single_nowait(&self, body: impl FnOnce()) {
        log::leave(run_single(self, body));
    }

    #[inline(always)]
    fn master(&self, body: impl FnOnce()) {
        if self.begin_master() {
            inside(Construct::Master, body);
            self.end_master();
        }
    }

    #[inline(always)]
    fn critical<R>(&self, name: &'static str, body: impl FnOnce() -> R) -> R {
        let lock = self.critical_lock(name);
        let entered = enter(Construct::Critical);
        self.begin_critical(lock);
        // SAFETY: this thread has the lock, here and until it ends the critical.
        log::choose(entered, unsafe { lock.count_acquisition() });
        let result = inside(Construct::CriticalBlock, body);
        // SAFETY: as above.
        unsafe { lock.count_release() };
        self.end_critical(lock);
        log::leave(entered);
        result
    }

    #[inline(always)]
    fn with_lock<R>(&self, lock: &Lock, body: impl FnOnce() -> R) -> R {
        let entered = enter(of_kind(lock, Construct::SetLock, Construct::SetNestLock));
        self.set(lock);
        // SAFETY: this thread has the lock.
        log::choose(entered, unsafe { lock.count_acquisition() });
        log::leave(entered);
        let result = body();
        unset(self, lock);
        result
    }

    #[inline(always)]
    fn try_with_lock<R>(&self, lock: &Lock, body: impl FnOnce() -> R) -> Option<R> {
        let entered = enter(of_kind(lock, Construct::TestLock, Construct::TestNestLock));
        let acquired = self.test(lock);
        log::choose(entered, acquired.into());
        log::leave(entered);
        acquired.then(|| {
            // SAFETY: this thread has the lock.
            unsafe { lock.count_acquisition() };
            let result = body();
            unset(self, lock);
            result
        })
    }

    #[inline(always)]
    fn atomic(&self, target: &AtomicU64, update: impl Fn(u64) -> u64) {
        let entered = enter(Construct::Atomic);
        self.update(|| {
            let updated =
                target.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |value| Some(update(value)));
            debug_assert!(updated.is_ok(), "the closure always gives a value");
        });
        log::leave(entered);
    }

    #[inline(always)]
    fn reduce(&self, value: f64, sum: &Reduction) {
        let entered = enter(Construct::Reduction);
        self.combine(|| sum.add(value));
        log::leave(entered);
    }

    #[inline(always)]
    fn taskwait(&self) {
        let entered = enter(Construct::TaskWait);
        self.wait_for_tasks();
        log::leave(entered);
    }

    #[inline(always)]
    fn flush(&self) {
        let entered = enter(Construct::Flush);
        Runtime::flush(self);
        log::leave(entered);
    }

    fn queue(&self) -> &dyn TaskQueue {
        self
    }
}

// SAFETY: as the engine promises.
unsafe impl<T: Runtime> TaskQueue for T {
    unsafe fn push(&self, task: Box<dyn FnOnce() + Send>) {
        let entered = enter(Construct::CreateTask);
        let task = NumberedTask::new(task);
        log::choose(entered, task.number);
        // SAFETY: as the caller promises.
        unsafe { self.defer(task) };
        log::leave(entered);
    }
}

/// Executes a member's part of a region. The master is given its implicit barrier, to leave it when all have come;
/// the others never learn when it ends.
pub(crate) fn member(fork: &Fork, number: usize, body: impl FnOnce()) -> Option<Entered> {
    end::on_panic(number, || {
        fork.member(number, || {
            body();
            let barrier = enter(Construct::ImplicitBarrier);
            if number == 0 {
                return Some(barrier);
            }
            log::leave(barrier);
            None
        })
    })
}
