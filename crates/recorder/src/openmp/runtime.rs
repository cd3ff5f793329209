#![allow(unsafe_code, reason = "has a function called when the program ends")]
//! The OpenMP runtimes that the recorder is a tool of, and their lives.

use std::sync::{Mutex, OnceLock};

use ats_work::log::now_ns;

use crate::lock::lock;

static NAME: OnceLock<String> = OnceLock::new();

/// Notes what the first one says of itself.
pub(crate) fn is(name: String) {
    NAME.get_or_init(|| name);
}

/// The name that it reports; `None` without a runtime.
pub(crate) fn name() -> Option<&'static str> {
    NAME.get().map(String::as_str)
}

/// The runtimes that are alive.
struct Lives {
    count: u32,
    /// The end of the last of them.
    ended_ns: Option<u64>,
    process_ends: bool,
}

static LIVES: Mutex<Lives> = Mutex::new(Lives { count: 0, ended_ns: None, process_ends: false });

/// A runtime begins, perhaps again.
pub(crate) fn begins() {
    let mut lives = lock(&LIVES);
    lives.count += 1;
    lives.ended_ns = None;
    // Before the runtime, which has done so by now, or is ended by a destructor.
    // SAFETY: the function lives as long as the process.
    unsafe { libc::atexit(process_ends) };
}

/// A runtime ends with its threads: as the process does, or before. It may begin again without the recorder.
pub(crate) fn ends(threads_have_ended: impl FnOnce()) {
    let mut lives = lock(&LIVES);
    lives.count = lives.count.saturating_sub(1);
    if lives.count == 0 && !lives.process_ends {
        lives.ended_ns = Some(now_ns());
        threads_have_ended();
    }
}

/// From now on, runtimes end because the process does.
pub(crate) extern "C" fn process_ends() {
    lock(&LIVES).process_ends = true;
}

/// The time since which OpenMP is not recorded, if its runtime ended before the process.
pub(crate) fn ended_ns() -> Option<u64> {
    lock(&LIVES).ended_ns
}
