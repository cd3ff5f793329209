#![allow(unsafe_code, reason = "reads the monotonic clock through libc")]
//! What a real thread did: stamps at entry and exit of every construct and of every piece of work.
//!
//! Off until [`start`]; then an entry costs two clock readings and no lock.

use std::cell::RefCell;

/// What one thread did between [`start`] and [`stop`], in order; times in nanoseconds of [`now_ns`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Log {
    /// Calls and constructs: name, entry, exit.
    pub constructs: Vec<(&'static str, u64, u64)>,
    /// Work: seconds asked for (0 where the amount was), begin, end.
    pub work: Vec<(f64, u64, u64)>,
    /// Choices that the run made: index into `constructs`, what was chosen.
    pub choices: Vec<(usize, u32)>,
}

thread_local! {
    static LOG: RefCell<Option<Log>> = const { RefCell::new(None) };
}

/// Starts an empty log on this thread, with room for `constructs` entries so that logging seldom allocates.
pub fn start(constructs: usize) {
    let log = Log {
        constructs: Vec::with_capacity(constructs),
        work: Vec::with_capacity(constructs),
        ..Log::default()
    };
    LOG.set(Some(log));
}

/// Ends this thread's log and hands it over; empty if there was none.
pub fn stop() -> Log {
    LOG.take().unwrap_or_default()
}

/// Runs a construct and logs it under its name.
pub fn construct<R>(name: &'static str, run: impl FnOnce() -> R) -> R {
    spanned(run, |log, enter, leave| log.constructs.push((name, enter, leave)))
}

/// Notes a choice of the construct that was logged last: the source that a wildcard matched, the request that was taken.
pub fn choice(chosen: u32) {
    LOG.with_borrow_mut(|log| {
        if let Some(log) = log
            && let Some(construct) = log.constructs.len().checked_sub(1)
        {
            log.choices.push((construct, chosen));
        }
    });
}

pub(crate) fn work(seconds: f64, run: impl FnOnce()) {
    spanned(run, |log, enter, leave| log.work.push((seconds, enter, leave)));
}

fn spanned<R>(run: impl FnOnce() -> R, note: impl FnOnce(&mut Log, u64, u64)) -> R {
    if LOG.with_borrow(Option::is_none) {
        return run();
    }
    let enter = now_ns();
    let result = run();
    let leave = now_ns();
    LOG.with_borrow_mut(|log| {
        if let Some(log) = log {
            note(log, enter, leave);
        }
    });
    result
}

/// The system's monotonic clock in nanoseconds: the same for all processes of one machine.
pub fn now_ns() -> u64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `time` is a valid place for the result, and the clock exists on every Unix.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &mut time) };
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}
