//! A thread of the recorder's own, which does what handlers of signals cannot do.

use std::sync::atomic::{AtomicBool, Ordering};

use super::modules;
use crate::background::{self, Semaphore};
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
static HAS_WORK: Semaphore = Semaphore::new();

/// Begins the thread; whether there is one.
pub(super) fn begin() -> bool {
    HAS_WORK.reset();
    background::begin("ats-sampling", run)
}

/// Asks for work, in a handler.
pub(super) fn ask(work: Work) {
    let flag = match work {
        Work::Gather => &GATHER,
        Work::Renew => &RENEW,
    };
    if !flag.swap(true, Ordering::AcqRel) {
        HAS_WORK.post();
    }
}

fn run() {
    loop {
        HAS_WORK.wait();
        if RENEW.swap(false, Ordering::AcqRel) {
            modules::renew();
        }
        if GATHER.swap(false, Ordering::AcqRel) {
            track::tracks().iter().for_each(|track| track.lock().samples.gather());
        }
    }
}
