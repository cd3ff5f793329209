#![allow(unsafe_code, reason = "a lock's word points to what the runtime keeps of it")]
//! Locks and the words of criticals. They stay where they are made: tools know them by their addresses.

use std::ffi::c_void;
use std::ptr;

use super::entry::{self, CriticalName};
use crate::{Lock, LockKind};

/// The runtime's word for a lock (`omp_lock_t`, `omp_nest_lock_t`).
type Word = *mut c_void;

pub(super) fn new(kind: LockKind) -> Lock {
    let word: *mut Word = Box::into_raw(Box::new(ptr::null_mut()));
    // SAFETY: the word is valid until `destroy`, which gets a pointer to this value once.
    unsafe {
        match kind {
            LockKind::Simple => entry::omp_init_lock(word),
            LockKind::Nested => entry::omp_init_nest_lock(word),
        }
        Lock::new(kind, word as usize, destroy)
    }
}

/// # Safety
/// `lock` is the word of a lock made by [`new`], and is not used again.
unsafe fn destroy(kind: LockKind, lock: *mut usize) {
    // SAFETY: as the caller promises.
    unsafe {
        let word = *lock as *mut Word;
        match kind {
            LockKind::Simple => entry::omp_destroy_lock(word),
            LockKind::Nested => entry::omp_destroy_nest_lock(word),
        }
        drop(Box::from_raw(word));
    }
}

/// The word of a lock made by [`new`].
pub(super) fn word(lock: &Lock) -> *mut Word {
    lock.must_be_of(destroy);
    // SAFETY: `new` made it, and nobody writes to its word after that.
    unsafe { *lock.word() as *mut Word }
}

/// A critical's lock; it lives as long as the process.
pub(super) fn new_critical() -> Lock {
    let name: &'static mut CriticalName = Box::leak(Box::default());
    // SAFETY: there is nothing to destroy.
    unsafe { Lock::new(LockKind::Simple, ptr::from_mut(name) as usize, |_, _| ()) }
}

/// The word of a critical's lock made by [`new_critical`].
pub(super) fn critical_name(lock: &Lock) -> *mut CriticalName {
    // SAFETY: criticals have no other locks, and nobody writes to their words.
    unsafe { *lock.word() as *mut CriticalName }
}

#[inline(always)]
pub(super) fn set(lock: &Lock) {
    // SAFETY: the lock exists while it is borrowed.
    unsafe {
        match lock.kind() {
            LockKind::Simple => entry::omp_set_lock(word(lock)),
            LockKind::Nested => entry::omp_set_nest_lock(word(lock)),
        }
    }
}

/// The calling thread has the lock.
#[inline(always)]
pub(super) fn unset(lock: &Lock) {
    // SAFETY: the lock exists while it is borrowed.
    unsafe {
        match lock.kind() {
            LockKind::Simple => entry::omp_unset_lock(word(lock)),
            LockKind::Nested => entry::omp_unset_nest_lock(word(lock)),
        }
    }
}

/// Whether the lock was free; the calling thread has it then.
#[inline(always)]
pub(super) fn test(lock: &Lock) -> bool {
    // SAFETY: the lock exists while it is borrowed.
    unsafe {
        match lock.kind() {
            LockKind::Simple => entry::omp_test_lock(word(lock)) != 0,
            LockKind::Nested => entry::omp_test_nest_lock(word(lock)) != 0,
        }
    }
}
