//! Locks and the order in which threads have them.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};

use rustc_hash::FxHashMap;

use crate::lock::lock;

/// A lock, or the one of a critical's name.
#[derive(Debug)]
pub(crate) struct Lock {
    /// Identifies it in its process.
    pub(crate) number: u32,
    acquisitions: AtomicU32,
}

impl Lock {
    /// Counts an acquisition, from 1, by the thread that has the lock.
    pub(crate) fn acquire(&self) -> u32 {
        // Whoever has the lock is alone here.
        let order = self.acquisitions() + 1;
        self.acquisitions.store(order, Ordering::Relaxed);
        order
    }

    /// The number of the last acquisition.
    pub(crate) fn acquisitions(&self) -> u32 {
        self.acquisitions.load(Ordering::Relaxed)
    }
}

/// The lock with this identity, which is the runtime's.
pub(crate) fn find(identity: u64) -> &'static Lock {
    static ALL: Mutex<Option<FxHashMap<u64, &'static Lock>>> = Mutex::new(None);
    let mut all = lock(&ALL);
    let all = all.get_or_insert_default();
    let number = all.len() as u32;
    all.entry(identity)
        .or_insert_with(|| Box::leak(Box::new(Lock { number, acquisitions: AtomicU32::new(0) })))
}
