#![allow(unsafe_code, reason = "called by functions of the program as they begin and end")]
//! Functions that the compiler has instrumented (`-finstrument-functions`): regions of the program, as it marks them.
//!
//! The C library has both functions, too, and they do nothing.

use std::cell::Cell;
use std::sync::atomic::{Ordering, compiler_fence};

use crate::track::Track;
use crate::{buffer, session, track};

/// Enters the function at this address.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
#[unsafe(no_mangle)]
#[unsafe(naked)]
unsafe extern "C" fn __cyg_profile_func_enter(_function: usize, _call_site: usize) {
    #[cfg(target_arch = "x86_64")]
    std::arch::naked_asm!("lea rsi, [rsp + 8]", "jmp {enter}", enter = sym enter);
    #[cfg(target_arch = "aarch64")]
    std::arch::naked_asm!("mov x1, sp", "b {enter}", enter = sym enter);
}

/// Enters the function at this address.
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
#[unsafe(no_mangle)]
extern "C" fn __cyg_profile_func_enter(function: usize, _call_site: usize) {
    enter(function, 0);
}

/// Enters a function, whose stack pointer is this; 0 if it is not known.
extern "C" fn enter(function: usize, stack: usize) {
    with_track(|track| track.enter_function(function, stack));
}

/// Leaves the function at this address, and those that were entered in it and never left.
#[unsafe(no_mangle)]
extern "C" fn __cyg_profile_func_exit(function: usize, _call_site: usize) {
    with_track(|track| track.leave_function(function));
}

thread_local! {
    /// Whether this thread is recording a function. A handler of a signal, which has interrupted that, records none.
    static RECORDS: Cell<bool> = const { Cell::new(false) };
}

#[inline]
fn with_track(record: impl FnOnce(&mut Track)) {
    if RECORDS.replace(true) {
        return;
    }
    compiler_fence(Ordering::SeqCst);
    if buffer::is_full() {
        session::make_room();
    }
    if let Some(mut track) = track::of_function() {
        record(&mut track);
    }
    compiler_fence(Ordering::SeqCst);
    RECORDS.set(false);
}
