//! Locks for data that threads share.

use std::sync::{Mutex, MutexGuard, PoisonError};

use spin::Yield;
use spin::mutex::{SpinMutex, SpinMutexGuard};

/// Data that is locked for moments only, and nearly always by one thread. Unlocking is a plain store. A lock that
/// others may sleep at takes a locked instruction for that, which waits until all that was just recorded is in the
/// cache: a third of the cost of a call.
pub(crate) type Shared<T> = SpinMutex<T, Yield>;
pub(crate) type Taken<T> = SpinMutexGuard<'static, T, Yield>;

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
