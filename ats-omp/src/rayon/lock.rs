#![allow(unsafe_code, reason = "locks without guards, kept behind a lock's word")]
//! Locks of the rayon engine.

use parking_lot::lock_api::{RawMutex as _, RawReentrantMutex};
use parking_lot::{RawMutex, RawThreadId};

use crate::{Lock, LockKind};

enum Raw {
    Simple(RawMutex),
    Nested(RawReentrantMutex<RawMutex, RawThreadId>),
}

pub(super) fn new(kind: LockKind) -> Lock {
    let raw = Box::new(match kind {
        LockKind::Simple => Raw::Simple(RawMutex::INIT),
        LockKind::Nested => Raw::Nested(RawReentrantMutex::INIT),
    });
    // SAFETY: `destroy` gets a pointer to this value once.
    unsafe { Lock::new(kind, Box::into_raw(raw) as usize, destroy) }
}

/// A critical's lock.
pub(super) fn new_critical() -> Lock {
    new(LockKind::Simple)
}

/// # Safety
/// `word` is the word of a lock made by [`new`], and is not used again.
unsafe fn destroy(_kind: LockKind, word: *mut usize) {
    // SAFETY: as the caller promises.
    drop(unsafe { Box::from_raw(*word as *mut Raw) });
}

fn raw(lock: &Lock) -> &Raw {
    lock.must_be_of(destroy);
    // SAFETY: `new` made it, and nobody writes to its word after that.
    unsafe { &*(*lock.word() as *const Raw) }
}

pub(super) fn set(lock: &Lock) {
    match raw(lock) {
        Raw::Simple(raw) => raw.lock(),
        Raw::Nested(raw) => raw.lock(),
    }
}

pub(super) fn test(lock: &Lock) -> bool {
    match raw(lock) {
        Raw::Simple(raw) => raw.try_lock(),
        Raw::Nested(raw) => raw.try_lock(),
    }
}

/// # Safety
/// The calling thread has the lock.
pub(super) unsafe fn unset(lock: &Lock) {
    // SAFETY: as the caller promises.
    unsafe {
        match raw(lock) {
            Raw::Simple(raw) => raw.unlock(),
            Raw::Nested(raw) => raw.unlock(),
        }
    }
}
