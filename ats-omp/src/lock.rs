#![allow(unsafe_code, reason = "a lock's word belongs to the engine that made it")]
//! Locks, as an engine makes them.

use std::cell::UnsafeCell;

/// Whether the thread that has a lock may take it again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LockKind {
    /// It may not; it would wait for itself.
    Simple,
    /// It may, and gives it back as often (`omp_nest_lock_t`).
    Nested,
}

/// A lock of the run-time library.
///
/// [`crate::Team::new_lock`] makes one; [`crate::Thread::with_lock`] uses it.
pub struct Lock {
    kind: LockKind,
    word: UnsafeCell<usize>,
    order: UnsafeCell<(u64, u32)>,
    depth: UnsafeCell<u32>,
    destroy: unsafe fn(LockKind, *mut usize),
}

// SAFETY: the engine alone touches the word, through its own synchronisation; the rest is touched by who has the lock.
unsafe impl Sync for Lock {}
// SAFETY: the word is not tied to a thread while nobody has the lock, and a lock in use is borrowed.
unsafe impl Send for Lock {}

impl Lock {
    /// With the word that the engine knows it by, to be destroyed by `destroy`.
    ///
    /// # Safety
    /// `destroy` may be called with a pointer to a word of this value, once.
    pub unsafe fn new(kind: LockKind, word: usize, destroy: unsafe fn(LockKind, *mut usize)) -> Self {
        Lock {
            kind,
            word: UnsafeCell::new(word),
            order: UnsafeCell::new((0, 0)),
            depth: UnsafeCell::new(0),
            destroy,
        }
    }

    /// Its kind.
    pub fn kind(&self) -> LockKind {
        self.kind
    }

    /// The engine's word.
    pub fn word(&self) -> *mut usize {
        self.word.get()
    }

    /// Refuses a lock of another engine than the one that destroys its own by `destroy`.
    ///
    /// # Panics
    /// If it is one.
    #[cfg(any(feature = "openmp", feature = "rayon"))]
    #[inline(always)]
    pub(crate) fn must_be_of(&self, destroy: unsafe fn(LockKind, *mut usize)) {
        assert!(std::ptr::fn_addr_eq(self.destroy, destroy), "the lock is one of another engine's");
    }

    /// Counts an acquisition: how often the lock was acquired before since the log began ([`ats_work::log::session`]).
    /// A thread that takes it again is given the number that it has.
    ///
    /// # Safety
    /// The calling thread has the lock, and will call [`Lock::count_release`] as often.
    pub unsafe fn count_acquisition(&self) -> u32 {
        // SAFETY: who has the lock is alone with it.
        let (depth, order) = unsafe { (&mut *self.depth.get(), &mut *self.order.get()) };
        *depth += 1;
        if *depth == 1 { count(order) } else { order.1.saturating_sub(1) }
    }

    /// The lock is about to be given back once.
    ///
    /// # Safety
    /// The calling thread still has the lock.
    pub unsafe fn count_release(&self) {
        // SAFETY: who has the lock is alone with it.
        unsafe { *self.depth.get() -= 1 };
    }
}

/// Counts in `(session, next)`.
fn count((session, next): &mut (u64, u32)) -> u32 {
    if *session != ats_work::log::session() {
        (*session, *next) = (ats_work::log::session(), 0);
    }
    *next += 1;
    *next - 1
}

impl Drop for Lock {
    fn drop(&mut self) {
        // SAFETY: as the engine promised to `new`; nobody has a lock that is dropped.
        unsafe { (self.destroy)(self.kind, self.word.get()) }
    }
}

impl std::fmt::Debug for Lock {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Lock").field("kind", &self.kind).finish_non_exhaustive()
    }
}
