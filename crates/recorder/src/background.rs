#![allow(unsafe_code, reason = "blocks signals, and uses a semaphore, which handlers of signals may post")]
//! Threads of the recorder's own, and how handlers of signals wake them.

use std::cell::UnsafeCell;
use std::mem::MaybeUninit;
use std::ptr;

/// A semaphore, which wakes a thread from a handler of a signal. No pipe, since a program may close every file that it has
/// not opened.
pub(crate) struct Semaphore(UnsafeCell<MaybeUninit<libc::sem_t>>);

// SAFETY: it is there to be shared; only the C library's functions touch it.
unsafe impl Sync for Semaphore {}

impl Semaphore {
    /// A semaphore to be [reset](Semaphore::reset) before it is used.
    pub(crate) const fn new() -> Self {
        Semaphore(UnsafeCell::new(MaybeUninit::zeroed()))
    }

    /// Sets the count to 0, before the thread that waits has begun in this process.
    pub(crate) fn reset(&self) {
        // SAFETY: the memory is that of a semaphore, at which nobody waits.
        unsafe { libc::sem_init(self.0.get().cast(), 0, 0) };
    }

    /// Wakes the thread that waits, or will; handlers of signals may call this.
    pub(crate) fn post(&self) {
        // SAFETY: it was reset before signals were handled.
        unsafe { libc::sem_post(self.0.get().cast()) };
    }

    /// Waits for a [post](Semaphore::post).
    pub(crate) fn wait(&self) {
        // SAFETY: it was reset before this thread was begun. Signals interrupt waiting.
        while unsafe { libc::sem_wait(self.0.get().cast()) } != 0 {}
    }
}

/// Begins a thread that gets no signals; whether there is one.
pub(crate) fn begin(name: &str, run: impl FnOnce() + Send + 'static) -> bool {
    // SAFETY: both sets are filled before they are read.
    unsafe {
        let (mut all, mut before) = (std::mem::zeroed(), std::mem::zeroed());
        libc::sigfillset(&mut all);
        libc::pthread_sigmask(libc::SIG_SETMASK, &all, &mut before);
        let thread = std::thread::Builder::new().name(name.to_owned()).spawn(run);
        libc::pthread_sigmask(libc::SIG_SETMASK, &before, ptr::null_mut());
        thread.is_ok()
    }
}
