#![allow(unsafe_code, reason = "calls the runtime's entry points")]
//! The thread that executes a member of a team.

use std::ops::Range;
use std::ptr;

use ats_work::log::Fork;

use super::entry::{
    self, BARRIER, CriticalName, LOOP, LOOP_BARRIER, PLAIN, SECTIONS_BARRIER, SINGLE_BARRIER,
};
use super::{lock, loops, task};
use crate::protocol::{Barrier, Criticals, NumberedTask, Runtime};
use crate::{Lock, Schedule};

/// A thread of LLVM's OpenMP runtime, in a region.
///
/// It is not `Sync`: another thread that used it would act in this one's name.
#[derive(Debug)]
pub struct OpenMpThread {
    /// The runtime's number of the thread (`gtid`).
    thread: i32,
    number: usize,
    threads: usize,
    fork: *const Fork,
}

impl OpenMpThread {
    /// # Safety
    /// The value is used on the thread that the runtime calls `thread`, in the region that `fork` was made for.
    pub(super) unsafe fn new(thread: i32, number: usize, threads: usize, fork: &Fork) -> Self {
        OpenMpThread { thread, number, threads, fork }
    }
}

static CRITICALS: Criticals = Criticals::new();

// SAFETY: the runtime's locks exclude, and the implicit barrier at a region's end completes its tasks. What each call
// demands holds for every one of them: the number belongs to the calling thread, which is in a region, and beginnings
// and ends pair because `Thread` calls them so.
unsafe impl Runtime for OpenMpThread {
    #[inline(always)]
    fn number(&self) -> usize {
        self.number
    }

    #[inline(always)]
    fn threads(&self) -> usize {
        self.threads
    }

    #[inline(always)]
    fn barrier(&self, which: Barrier) {
        let at = match which {
            Barrier::Explicit => &BARRIER,
            Barrier::Loop => &LOOP_BARRIER,
            Barrier::Sections => &SECTIONS_BARRIER,
            Barrier::Single => &SINGLE_BARRIER,
        };
        // SAFETY: as said at the impl.
        unsafe { entry::__kmpc_barrier(at, self.thread) };
    }

    #[inline(always)]
    fn chunks(&self, iterations: usize, schedule: Schedule, chunk: impl FnMut(Range<usize>)) {
        loops::chunks(self.thread, iterations, schedule, chunk);
    }

    #[inline(always)]
    fn ordered_chunks(&self, iterations: usize, schedule: Schedule, chunk: impl FnMut(Range<usize>)) {
        loops::ordered_chunks(self.thread, iterations, schedule, chunk);
    }

    #[inline(always)]
    fn begin_turn(&self, _iteration: usize) {
        // SAFETY: as said at the impl.
        unsafe { entry::__kmpc_ordered(&LOOP, self.thread) };
    }

    #[inline(always)]
    fn end_turn(&self, _iteration: usize) {
        loops::end_turn(self.thread);
    }

    #[inline(always)]
    fn section_block(&self, sections: usize, block: impl FnMut(Range<usize>)) {
        loops::section_block(self.thread, sections, block);
    }

    #[inline(always)]
    fn begin_single(&self) -> bool {
        // SAFETY: as said at the impl.
        unsafe { entry::__kmpc_single(&PLAIN, self.thread) != 0 }
    }

    #[inline(always)]
    fn end_single(&self) {
        // SAFETY: as said at the impl.
        unsafe { entry::__kmpc_end_single(&PLAIN, self.thread) };
    }

    #[inline(always)]
    fn begin_master(&self) -> bool {
        // SAFETY: as said at the impl.
        unsafe { entry::__kmpc_master(&PLAIN, self.thread) != 0 }
    }

    #[inline(always)]
    fn end_master(&self) {
        // SAFETY: as said at the impl.
        unsafe { entry::__kmpc_end_master(&PLAIN, self.thread) };
    }

    fn critical_lock(&self, name: &'static str) -> &'static Lock {
        CRITICALS.lock(name, lock::new_critical)
    }

    #[inline(always)]
    fn begin_critical(&self, lock: &Lock) {
        // SAFETY: as said at the impl.
        unsafe { entry::__kmpc_critical(&PLAIN, self.thread, lock::critical_name(lock)) };
    }

    #[inline(always)]
    fn end_critical(&self, lock: &Lock) {
        // SAFETY: as said at the impl.
        unsafe { entry::__kmpc_end_critical(&PLAIN, self.thread, lock::critical_name(lock)) };
    }

    #[inline(always)]
    fn set(&self, lock: &Lock) {
        lock::set(lock);
    }

    #[inline(always)]
    fn unset(&self, lock: &Lock) {
        lock::unset(lock);
    }

    #[inline(always)]
    fn test(&self, lock: &Lock) -> bool {
        lock::test(lock)
    }

    /// Under the runtime's lock for atomics that no instruction does: it alone tells tools of an atomic.
    #[inline(always)]
    fn update(&self, update: impl FnOnce()) {
        // SAFETY: as said at the impl.
        unsafe { entry::__kmpc_atomic_start() };
        update();
        // SAFETY: as said at the impl.
        unsafe { entry::__kmpc_atomic_end() };
    }

    /// In turn: with data to combine in a tree the runtime would add a barrier, and with clang's flag for atomics it
    /// would tell tools nothing.
    #[inline(always)]
    fn combine(&self, add: impl FnOnce()) {
        struct Turn(std::cell::UnsafeCell<CriticalName>);
        // SAFETY: only the runtime touches it.
        unsafe impl Sync for Turn {}
        static TURN: Turn = Turn(std::cell::UnsafeCell::new([0; 8]));
        // SAFETY: as said at the impl; without data there is nothing to point to.
        unsafe {
            entry::__kmpc_reduce_nowait(&PLAIN, self.thread, 1, 8, ptr::null_mut(), None, TURN.0.get())
        };
        add();
        // SAFETY: as said at the impl.
        unsafe { entry::__kmpc_end_reduce_nowait(&PLAIN, self.thread, TURN.0.get()) };
    }

    #[inline(always)]
    fn flush(&self) {
        // SAFETY: as said at the impl.
        unsafe { entry::__kmpc_flush(&PLAIN) };
    }

    #[inline(always)]
    fn wait_for_tasks(&self) {
        // SAFETY: as said at the impl.
        unsafe { entry::__kmpc_omp_taskwait(&PLAIN, self.thread) };
    }

    unsafe fn defer(&self, task: NumberedTask) {
        // SAFETY: the region outlives its tasks, and what they borrow outlives the region, as the caller promises.
        unsafe { task::defer(self.thread, self.fork, task) };
    }
}
