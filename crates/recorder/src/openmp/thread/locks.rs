//! Locks, criticals, atomics and ordered blocks.

use ats_model::Event;
use ats_model::openmp::Construct;

use super::{Held, Thread, Unsettled, leave_construct, note_call};
use crate::openmp::lock::{self, Lock};
use crate::openmp::open::Buffer;

/// A means of mutual exclusion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mutex {
    /// A lock of the program, requested by this construct.
    Lock(Construct),
    Critical,
    Atomic,
    Ordered,
}

impl Thread {
    pub(crate) fn requests(&mut self, buffer: &mut Buffer, ticks: u64, mutex: Mutex, address: usize) {
        self.settle(buffer);
        match mutex {
            Mutex::Lock(construct) => {
                let call = self.call_of_construct(buffer, construct, 0, address);
                self.unsettled = Some(Unsettled::Request(ticks, construct, call));
            }
            Mutex::Critical => {
                let call = self.call_of_construct(buffer, Construct::Critical, address, address);
                note_call(buffer, ticks, call);
                self.enter_construct(buffer, ticks, Construct::Critical, address);
            }
            Mutex::Atomic => self.enter_construct(buffer, ticks, Construct::Atomic, address),
            Mutex::Ordered => self.enter_construct(buffer, ticks, Construct::Ordered, address),
        }
    }

    pub(crate) fn acquires(
        &mut self,
        buffer: &mut Buffer,
        ticks: u64,
        mutex: Mutex,
        identity: u64,
        address: usize,
    ) {
        match mutex {
            Mutex::Lock(_) => self.has_lock(buffer, ticks, identity),
            Mutex::Critical => {
                let acquired = self.acquired(identity);
                buffer.push(ticks, acquired);
                self.enter_construct(buffer, ticks, Construct::CriticalBlock, address);
            }
            Mutex::Atomic => {}
            Mutex::Ordered => self.enter_construct(buffer, ticks, Construct::OrderedBlock, address),
        }
    }

    pub(crate) fn releases(
        &mut self,
        buffer: &mut Buffer,
        ticks: u64,
        mutex: Mutex,
        identity: u64,
        address: usize,
    ) {
        self.settle(buffer);
        match mutex {
            Mutex::Lock(construct) => {
                let event = self.released(identity, true);
                let unset = match construct {
                    Construct::SetNestLock | Construct::TestNestLock => Construct::UnsetNestLock,
                    _ => Construct::UnsetLock,
                };
                let call = self.call_of_construct(buffer, unset, 0, address);
                note_call(buffer, ticks, call);
                self.instant(buffer, ticks, unset, 0, Some(event));
            }
            Mutex::Critical => {
                leave_construct(buffer, ticks, Construct::CriticalBlock);
                let event = self.released(identity, true);
                buffer.push(ticks, event);
                leave_construct(buffer, ticks, Construct::Critical);
            }
            Mutex::Atomic => leave_construct(buffer, ticks, Construct::Atomic),
            Mutex::Ordered => leave_construct(buffer, ticks, Construct::Ordered),
        }
    }

    /// A nested lock that this thread has is acquired again.
    pub(crate) fn reacquires(&mut self, buffer: &mut Buffer, ticks: u64, identity: u64) {
        self.has_lock(buffer, ticks, identity);
    }

    /// A nested lock is released, and not for the last time.
    pub(crate) fn releases_once(&mut self, buffer: &mut Buffer, ticks: u64, identity: u64, address: usize) {
        self.settle(buffer);
        let event = self.released(identity, false);
        let call = self.call_of_construct(buffer, Construct::UnsetNestLock, 0, address);
        note_call(buffer, ticks, call);
        self.instant(buffer, ticks, Construct::UnsetNestLock, 0, Some(event));
    }

    fn has_lock(&mut self, buffer: &mut Buffer, ticks: u64, identity: u64) {
        if let Some(Unsettled::Request(requested, construct, call)) = self.unsettled.take() {
            note_call(buffer, requested, call);
            self.enter_construct(buffer, requested, construct, 0);
            let acquired = self.acquired(identity);
            buffer.push(ticks, acquired);
            buffer.end(ticks);
        }
    }

    fn lock(&mut self, identity: u64) -> &'static Lock {
        self.locks.entry(identity).or_insert_with(|| lock::find(identity))
    }

    fn acquired(&mut self, identity: u64) -> Event {
        let lock = self.lock(identity);
        let held = self.held.iter().rfind(|held| held.identity == identity);
        let order = held.map(|held| held.order).unwrap_or_else(|| {
            let order = lock.acquire();
            self.held.push(Held { identity, order });
            order
        });
        Event::ThreadAcquireLock { lock: lock.number, order }
    }

    /// Another thread may have acquired it; then the last acquisition is meant.
    fn released(&mut self, identity: u64, at_last: bool) -> Event {
        let lock = self.lock(identity);
        let held = &mut self.held;
        let order = match held.iter().rposition(|held| held.identity == identity) {
            Some(at) if at_last => held.remove(at).order,
            Some(at) => held[at].order,
            None => lock.acquisitions(),
        };
        Event::ThreadReleaseLock { lock: lock.number, order }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::openmp::thread::listing::{Recorded, lines, listing};

    #[test]
    fn a_request_for_a_lock_that_is_not_granted_was_a_test() {
        let mut one = Recorded::new(0);
        let set = Mutex::Lock(Construct::SetLock);
        one.thread.requests(&mut one.buffer, 1, set, 0);
        one.thread.requests(&mut one.buffer, 2, set, 0);
        one.thread.acquires(&mut one.buffer, 3, set, 0x1_0001, 0);
        one.thread.releases(&mut one.buffer, 4, set, 0x1_0001, 0);
        let nested = Mutex::Lock(Construct::SetNestLock);
        one.thread.requests(&mut one.buffer, 5, nested, 0);
        one.thread.acquires(&mut one.buffer, 6, nested, 0x1_0002, 0);
        one.thread.requests(&mut one.buffer, 7, nested, 0);
        one.thread.reacquires(&mut one.buffer, 8, 0x1_0002);
        one.thread.releases_once(&mut one.buffer, 9, 0x1_0002, 0);
        one.thread.releases(&mut one.buffer, 10, nested, 0x1_0002, 0);
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
        assert_eq!(listing(one), lines(expected));
    }
}
