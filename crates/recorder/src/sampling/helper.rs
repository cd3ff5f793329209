#![allow(unsafe_code, reason = "waits for handlers of signals")]
//! A thread of the recorder's own, which does what handlers of signals cannot do.

use std::cell::UnsafeCell;
use std::mem::MaybeUninit;
use std::ptr;
use std::sync::atomic::{AtomicBool, Ordering};

use super::modules;
use crate::track;

/// Something to do.
pub(super) enum Work {
    /// Gather the samples of all threads.
    Gather,
    /// Look for modules that were loaded.
    Renew,
}

static GATHER: AtomicBool = AtomicBool::new(false);
static RENEW: AtomicBool = AtomicBool::new(false);
static HAS_WORK: Semaphore = Semaphore(UnsafeCell::new(MaybeUninit::zeroed()));

/// A handler of a signal may post it, and nothing else wakes a thread.
struct Semaphore(UnsafeCell<MaybeUninit<libc::sem_t>>);

// SAFETY: it is there to be shared; only the C library's functions touch it.
unsafe impl Sync for Semaphore {}

/// Begins the thread, which gets no signals; whether there is one.
pub(super) fn begin() -> bool {
    // SAFETY: nobody waits for the semaphore in this process; both sets are filled before they are read.
    unsafe {
        libc::sem_init(HAS_WORK.0.get().cast(), 0, 0);
        let (mut all, mut before) = (std::mem::zeroed(), std::mem::zeroed());
        libc::sigfillset(&mut all);
        libc::pthread_sigmask(libc::SIG_SETMASK, &all, &mut before);
        let thread = std::thread::Builder::new().name("ats-sampling".to_owned()).spawn(run);
        libc::pthread_sigmask(libc::SIG_SETMASK, &before, ptr::null_mut());
        thread.is_ok()
    }
}

/// Asks for work, in a handler.
pub(super) fn ask(work: Work) {
    let flag = match work {
        Work::Gather => &GATHER,
        Work::Renew => &RENEW,
    };
    if !flag.swap(true, Ordering::AcqRel) {
        // SAFETY: it was initialised before the first signal was sent.
        unsafe { libc::sem_post(HAS_WORK.0.get().cast()) };
    }
}

fn run() {
    loop {
        // SAFETY: it was initialised before this thread was begun.
        while unsafe { libc::sem_wait(HAS_WORK.0.get().cast()) } != 0 {}
        if RENEW.swap(false, Ordering::AcqRel) {
            modules::renew();
        }
        if GATHER.swap(false, Ordering::AcqRel) {
            track::all().iter().for_each(|track| track.lock().samples.gather());
        }
    }
}
