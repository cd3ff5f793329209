//! Work, its calibration and its tools.

mod allocations;
mod calibration;
mod checksum;
mod counts;
mod machines;
mod scratch;
mod threads;
mod watcher;

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Tests that work, or that ask for the process' checksum, take turns, since all work is in it.
fn turn() -> MutexGuard<'static, ()> {
    static PROCESS: Mutex<()> = Mutex::new(());
    PROCESS.lock().unwrap_or_else(PoisonError::into_inner)
}
