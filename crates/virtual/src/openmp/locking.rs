//! Asking for locks, and giving them back.

use ats_model::event::Event;
use ats_model::openmp::Construct;

use crate::kernel::call::Frame;
use crate::kernel::state::Kernel;
use crate::kernel::time::Picoseconds;
use crate::openmp::lock::{LockOrder, Request};
use crate::openmp::rules::Cause;
use crate::openmp::state::{DueForThreads, Omp};
use crate::openmp::thread::WaitsFor;

impl Omp {
    /// The lock of the criticals of a name in the process that runs.
    pub(crate) fn critical(&mut self, kernel: &Kernel<'_>, name: &'static str) -> u32 {
        self.locks.critical(kernel.rank() as u32, name)
    }

    /// The thread that runs asks for a lock: for its acquisition number `turn` if it replays one that was numbered, else
    /// nothing can happen before any more. Returns whether it has it; else it has to wait until it is called.
    pub(crate) fn request_lock(
        &mut self,
        kernel: &mut Kernel<'_>,
        number: u32,
        turn: Option<u32>,
        may_nest: bool,
    ) -> bool {
        let (location, now, replays) = (kernel.number(), kernel.now(), kernel.replays());
        self.mark_exchangeable(kernel);
        let order = self.locks.order;
        let lock = self.locks.get_mut(number);
        if may_nest && lock.holder == Some(location) {
            lock.depth += 1;
            return true;
        }
        let mine = match turn {
            Some(turn) => turn == lock.acquisitions,
            None if replays => true,
            None => match order {
                LockOrder::Fair => lock.waiting.is_empty(),
                LockOrder::Unfair => {
                    now >= lock.free_from
                        && (lock.waiting.is_empty()
                            || (now == lock.free_from && lock.last_holder == Some(location)))
                }
            },
        };
        if lock.holder.is_none() && mine {
            self.grant_lock(kernel, number, location);
            return true;
        }
        lock.waiting.push_back(Request { location, number: turn });
        if lock.holder.is_none() && !replays {
            self.due.push(lock.free_from.max(now), 0, DueForThreads::Lock(number));
        }
        self.here(kernel).waits_for = Some(WaitsFor::Lock(number));
        false
    }

    fn grant_lock(&mut self, kernel: &mut Kernel<'_>, number: u32, location: u32) {
        let lock = self.locks.get_mut(number);
        (lock.holder, lock.depth) = (Some(location), 1);
        lock.acquisitions += 1;
        let here = &mut kernel.locations[location as usize];
        here.clock = here.clock.max(lock.free_from);
    }

    /// Gives a free lock to the next thread, and calls that thread.
    fn hand_over_lock(&mut self, kernel: &mut Kernel<'_>, number: u32) {
        let lock = self.locks.get_mut(number);
        if lock.holder.is_some() {
            return;
        }
        let next = |request: &Request| request.number.is_none_or(|turn| turn == lock.acquisitions);
        let Some(at) = lock.waiting.iter().position(next) else { return };
        let Some(Request { location, .. }) = lock.waiting.remove(at) else { return };
        self.threads[location as usize].waits_for = None;
        self.grant_lock(kernel, number, location);
        kernel.ready(location);
    }

    /// Gives a lock to the next thread if it is free at `now`; nothing can happen before `now` any more.
    pub(crate) fn lock_due(&mut self, kernel: &mut Kernel<'_>, number: u32, now: Picoseconds) {
        if self.locks.get(number).free_from <= now {
            self.hand_over_lock(kernel, number);
        }
    }

    /// The thread that runs has got a lock that it asked for in a construct.
    pub(crate) fn lock_acquired(
        &mut self,
        kernel: &mut Kernel<'_>,
        frame: &Frame,
        construct: Construct,
        number: u32,
    ) {
        let lock = self.locks.get(number);
        let (order, first, free_from) = (lock.acquisitions, lock.depth == 1, lock.free_from);
        if first {
            self.charge(kernel, construct, Cause::LockHeld, free_from.saturating_sub(frame.enter), true);
        }
        kernel.event(Event::ThreadAcquireLock { lock: number, order });
    }

    /// Whether the thread that runs would get a lock at once; nothing can happen before any more.
    pub(crate) fn is_free(&mut self, kernel: &Kernel<'_>, number: u32, may_nest: bool) -> bool {
        self.mark_exchangeable(kernel);
        let lock = self.locks.get(number);
        let again = may_nest && lock.holder == Some(kernel.number());
        again || lock.holder.is_none() && lock.waiting.is_empty() && lock.free_from <= kernel.now()
    }

    /// The thread that runs gives a lock back.
    pub(crate) fn release_lock(&mut self, kernel: &mut Kernel<'_>, number: u32) {
        let now = kernel.now();
        let lock = self.locks.get_mut(number);
        let order = lock.acquisitions;
        lock.depth = lock.depth.saturating_sub(1);
        if lock.depth == 0 {
            lock.last_holder = lock.holder.take();
            lock.free_from = now;
            if !lock.waiting.is_empty() {
                match self.locks.order {
                    LockOrder::Unfair if !kernel.replays() => {
                        self.due.push(now, 0, DueForThreads::Lock(number));
                    }
                    _ => self.hand_over_lock(kernel, number),
                }
            }
        }
        kernel.event(Event::ThreadReleaseLock { lock: number, order });
    }
}
