#![allow(unsafe_code, reason = "promises what locks and regions keep")]
//! The thread that executes a member of a team.

use std::cell::Cell;
use std::marker::PhantomData;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{Ordering, fence};

use super::lock;
use super::region::{Region, Shared};
use crate::protocol::{Barrier, Criticals, NumberedTask, Runtime};
use crate::{Lock, Schedule};

/// A thread of a team of rayon's threads.
pub struct RayonThread {
    number: usize,
    region: Arc<Region>,
    /// The number of worksharing constructs it has met, the current one included.
    constructs: Cell<usize>,
    /// Another thread that used it would act in this one's name.
    here: PhantomData<*const ()>,
}

impl RayonThread {
    pub(super) fn new(number: usize, region: &Arc<Region>) -> Self {
        RayonThread { number, region: Arc::clone(region), constructs: Cell::new(0), here: PhantomData }
    }

    fn next_construct(&self) -> usize {
        self.constructs.set(self.constructs.get() + 1);
        self.constructs.get()
    }

    /// The block of a static schedule: the first threads get one more.
    fn block(&self, iterations: usize) -> Range<usize> {
        let (length, longer) = (iterations / self.region.threads, iterations % self.region.threads);
        let start = |number: usize| number * length + number.min(longer);
        start(self.number)..start(self.number + 1)
    }

    fn run_chunks(
        &self,
        construct: usize,
        iterations: usize,
        schedule: Schedule,
        mut run: impl FnMut(Range<usize>),
    ) {
        let length = schedule.chunk().map_or(1, usize::from);
        let chunk = |start: usize, length: usize| start..start.saturating_add(length).min(iterations);
        match schedule {
            Schedule::Static => {
                Some(self.block(iterations)).filter(|block| !block.is_empty()).into_iter().for_each(run)
            }
            Schedule::StaticChunk(_) => {
                let turns = (0..iterations).step_by(length).skip(self.number).step_by(self.region.threads);
                turns.for_each(|start| run(chunk(start, length)));
            }
            Schedule::Dynamic(_) | Schedule::DynamicNonmonotonic(_) | Schedule::Guided(_) => {
                let take = |shared: &mut Shared| {
                    let share = match schedule {
                        Schedule::Guided(_) => (iterations - shared.next).div_ceil(2 * self.region.threads),
                        _ => 0,
                    };
                    let taken = chunk(shared.next, length.max(share));
                    shared.next = taken.end;
                    taken
                };
                loop {
                    let taken = self.region.shared(construct, take);
                    if taken.is_empty() {
                        break;
                    }
                    run(taken);
                }
            }
        }
    }
}

static CRITICALS: Criticals = Criticals::new();

// SAFETY: the locks exclude, and the barrier at a region's end waits for all tasks.
unsafe impl Runtime for RayonThread {
    fn number(&self) -> usize {
        self.number
    }

    fn threads(&self) -> usize {
        self.region.threads
    }

    fn barrier(&self, _which: Barrier) {
        self.region.barrier(self.number);
    }

    fn chunks(&self, iterations: usize, schedule: Schedule, chunk: impl FnMut(Range<usize>)) {
        let construct = self.next_construct();
        self.run_chunks(construct, iterations, schedule, chunk);
        self.region.leave(construct);
    }

    fn ordered_chunks(&self, iterations: usize, schedule: Schedule, chunk: impl FnMut(Range<usize>)) {
        self.chunks(iterations, schedule, chunk);
    }

    fn begin_turn(&self, iteration: usize) {
        self.region.begin_turn(self.constructs.get(), iteration);
    }

    fn end_turn(&self, iteration: usize) {
        self.region.end_turn(self.constructs.get(), iteration);
    }

    fn section_block(&self, sections: usize, block: impl FnMut(Range<usize>)) {
        self.chunks(sections, Schedule::Static, block);
    }

    fn begin_single(&self) -> bool {
        let construct = self.next_construct();
        let first = self.region.shared(construct, |single| std::mem::replace(&mut single.next, 1) == 0);
        self.region.leave(construct);
        first
    }

    fn end_single(&self) {}

    fn begin_master(&self) -> bool {
        self.number == 0
    }

    fn end_master(&self) {}

    fn critical_lock(&self, name: &'static str) -> &'static Lock {
        CRITICALS.lock(name, lock::new_critical)
    }

    fn begin_critical(&self, lock: &Lock) {
        lock::set(lock);
    }

    fn end_critical(&self, lock: &Lock) {
        self.unset(lock);
    }

    fn set(&self, lock: &Lock) {
        lock::set(lock);
    }

    fn unset(&self, lock: &Lock) {
        // SAFETY: `Thread` unsets what it has set.
        unsafe { lock::unset(lock) };
    }

    fn test(&self, lock: &Lock) -> bool {
        lock::test(lock)
    }

    fn update(&self, update: impl FnOnce()) {
        update();
    }

    fn combine(&self, add: impl FnOnce()) {
        add();
    }

    fn flush(&self) {
        fence(Ordering::SeqCst);
    }

    fn wait_for_tasks(&self) {
        self.region.wait_for_tasks(self.number);
    }

    unsafe fn defer(&self, task: NumberedTask) {
        self.region.defer(self.number, task);
    }
}
