//! Locks and criticals: the holder, and the next one.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use crate::kernel::time::Picoseconds;

/// The order in which several waiting threads get a lock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LockOrder {
    /// The thread that has waited longest goes first.
    #[default]
    Fair,
    /// The thread that has given it back goes first, if it asks for it again at once; then the one that has waited
    /// longest.
    Unfair,
}

/// The locks of a simulation.
#[derive(Debug, Default)]
pub(crate) struct Locks {
    pub(crate) order: LockOrder,
    locks: Vec<Lock>,
    criticals: FxHashMap<(u32, &'static str), u32>,
    /// By process and number in a trace.
    recorded: FxHashMap<(u32, u32), u32>,
}

/// A lock or a critical.
#[derive(Debug, Default)]
pub(crate) struct Lock {
    pub(crate) holder: Option<u32>,
    /// The number of times that the holder has taken it.
    pub(crate) depth: u32,
    pub(crate) last_holder: Option<u32>,
    /// When it was last given back.
    pub(crate) free_from: Picoseconds,
    pub(crate) acquisitions: u32,
    pub(crate) waiting: VecDeque<Request>,
}

/// A thread that waits for a lock.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Request {
    pub(crate) location: u32,
    /// In a replay, the number of its acquisition; `None` if it was a test, which is not numbered.
    pub(crate) number: Option<u32>,
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

    /// The lock of a process that has this number in a trace.
    pub(crate) fn recorded(&mut self, rank: u32, number: u32) -> u32 {
        if let Some(&lock) = self.recorded.get(&(rank, number)) {
            return lock;
        }
        let lock = self.make();
        self.recorded.insert((rank, number), lock);
        lock
    }

    /// A lock by its number.
    pub(crate) fn get(&self, number: u32) -> &Lock {
        &self.locks[number as usize]
    }

    /// The same, to be changed.
    pub(crate) fn get_mut(&mut self, number: u32) -> &mut Lock {
        &mut self.locks[number as usize]
    }
}
