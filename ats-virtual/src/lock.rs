//! Locks and criticals: who has one, and who gets it next.

use std::collections::VecDeque;

use crate::rules::Cause;
use ats_model::event::Event;
use rustc_hash::FxHashMap;

use crate::call::Frame;
use crate::team::WaitsFor;
use crate::time::Picoseconds;
use crate::world::{Due, World};

/// Who gets a lock that several threads wait for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LockOrder {
    /// Who has waited longest.
    #[default]
    Fair,
    /// The thread that has given it back, if it asks for it again at once; then who has waited longest.
    Unfair,
}

/// The locks of a simulation.
#[derive(Debug, Default)]
pub(crate) struct Locks {
    pub(crate) order: LockOrder,
    locks: Vec<Lock>,
    criticals: FxHashMap<(u32, &'static str), u32>,
}

/// A lock or a critical.
#[derive(Debug, Default)]
struct Lock {
    holder: Option<u32>,
    /// How often the holder has taken it.
    depth: u32,
    last_holder: Option<u32>,
    /// When it was last given back.
    free_from: Picoseconds,
    acquisitions: u32,
    waiting: VecDeque<Request>,
}

/// A thread that waits for a lock.
#[derive(Clone, Copy, Debug)]
struct Request {
    location: u32,
    /// In a replay, the number of its acquisition; none where it was a test, which is not numbered.
    number: Option<u32>,
}

impl Locks {
    /// A new lock, by its number.
    pub(crate) fn make(&mut self) -> u32 {
        self.locks.push(Lock::default());
        self.locks.len() as u32 - 1
    }

    /// The lock of a process' criticals of a name.
    pub(crate) fn critical(&mut self, rank: u32, name: &'static str) -> u32 {
        if let Some(&lock) = self.criticals.get(&(rank, name)) {
            return lock;
        }
        let lock = self.make();
        self.criticals.insert((rank, name), lock);
        lock
    }

    /// The location that has a lock.
    pub(crate) fn holder(&self, lock: u32) -> Option<u32> {
        self.locks[lock as usize].holder
    }
}

impl World<'_> {
    /// The thread that runs asks for a lock: for its acquisition number `turn` if it replays one that was numbered, else
    /// nothing can happen before any more. Returns whether it has it; else it has to wait until it is called.
    pub(crate) fn request_lock(&mut self, number: u32, turn: Option<u32>, may_nest: bool) -> bool {
        let (location, now, replays) = (self.current as u32, self.here().clock, self.replays());
        self.exchangeable();
        let order = self.threads.locks.order;
        let lock = &mut self.threads.locks.locks[number as usize];
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
            self.grant_lock(number, location);
            return true;
        }
        lock.waiting.push_back(Request { location, number: turn });
        if lock.holder.is_none() && !replays {
            let free_from = lock.free_from.max(now);
            self.push(free_from, Due::Lock(number));
        }
        self.thread().waits_for = Some(WaitsFor::Lock(number));
        false
    }

    fn grant_lock(&mut self, number: u32, location: u32) {
        let lock = &mut self.threads.locks.locks[number as usize];
        (lock.holder, lock.depth) = (Some(location), 1);
        lock.acquisitions += 1;
        let here = &mut self.locations[location as usize];
        here.clock = here.clock.max(lock.free_from);
    }

    /// Gives a free lock to who is next, and calls that thread.
    fn hand_over_lock(&mut self, number: u32) {
        let lock = &mut self.threads.locks.locks[number as usize];
        if lock.holder.is_some() {
            return;
        }
        let next = |request: &Request| request.number.is_none_or(|turn| turn == lock.acquisitions);
        let Some(at) = lock.waiting.iter().position(next) else { return };
        let Some(Request { location, .. }) = lock.waiting.remove(at) else { return };
        self.threads.of[location as usize].waits_for = None;
        self.grant_lock(number, location);
        self.ready(location);
    }

    /// Gives a lock to who is next if it is free at `now`; nothing can happen before `now` any more.
    pub(crate) fn lock_due(&mut self, number: u32, now: Picoseconds) {
        if self.threads.locks.locks[number as usize].free_from <= now {
            self.hand_over_lock(number);
        }
    }

    /// The thread that runs has got a lock that it asked for in `frame`.
    pub(crate) fn lock_acquired(&mut self, frame: &Frame, number: u32) {
        let lock = &self.threads.locks.locks[number as usize];
        let (order, first, free_from) = (lock.acquisitions, lock.depth == 1, lock.free_from);
        if first {
            self.blocked(frame, Cause::LockHeld, free_from.saturating_sub(frame.enter), true);
        }
        self.event(Event::ThreadAcquireLock { lock: number, order });
    }

    /// Whether the thread that runs would get a lock at once; nothing can happen before any more.
    pub(crate) fn is_free(&mut self, number: u32, may_nest: bool) -> bool {
        let (location, now) = (self.current as u32, self.here().clock);
        self.exchangeable();
        let lock = &self.threads.locks.locks[number as usize];
        let again = may_nest && lock.holder == Some(location);
        again || lock.holder.is_none() && lock.waiting.is_empty() && lock.free_from <= now
    }

    /// The thread that runs gives a lock back.
    pub(crate) fn release_lock(&mut self, number: u32) {
        let now = self.here().clock;
        let lock = &mut self.threads.locks.locks[number as usize];
        let order = lock.acquisitions;
        lock.depth = lock.depth.saturating_sub(1);
        if lock.depth == 0 {
            lock.last_holder = lock.holder.take();
            lock.free_from = now;
            if !lock.waiting.is_empty() {
                match self.threads.locks.order {
                    LockOrder::Unfair if !self.replays() => self.push(now, Due::Lock(number)),
                    _ => self.hand_over_lock(number),
                }
            }
        }
        self.event(Event::ThreadReleaseLock { lock: number, order });
    }
}
