#![allow(unsafe_code, reason = "handles a signal, and defines functions of the C library")]
//! The signal of the samples: one of the real-time signals that nobody handles when the recorder is loaded.
//!
//! The program sees nothing of it. If it handles the signal itself later, sampling ends, and the signal is the program's.

use std::ffi::{CStr, c_int, c_void};
use std::ptr;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicI32, AtomicPtr, Ordering};

use libc::{sigaction as Action, sighandler_t, siginfo_t};

/// The chosen signal; 0 if there is none, or the program has it.
static SIGNAL: AtomicI32 = AtomicI32::new(0);
/// Called before the program has it.
static END: OnceLock<fn()> = OnceLock::new();

type Handler = extern "C" fn(c_int, *mut siginfo_t, *mut c_void);

/// The function of this name in the C library, or in a library between that replaces it.
macro_rules! original {
    ($name:expr, $type:ty) => {{
        static FOUND: AtomicPtr<c_void> = AtomicPtr::new(ptr::null_mut());
        let name: &CStr = $name;
        let known = FOUND.load(Ordering::Relaxed);
        // SAFETY: asks the linker for a function of this name behind the recorder, which has this type.
        unsafe {
            let found = if known.is_null() { libc::dlsym(libc::RTLD_NEXT, name.as_ptr()) } else { known };
            FOUND.store(found, Ordering::Relaxed);
            std::mem::transmute::<*mut c_void, $type>(found)
        }
    }};
}

fn act(signal: c_int, action: *const Action, before: *mut Action) -> c_int {
    type Function = unsafe extern "C" fn(c_int, *const Action, *mut Action) -> c_int;
    let original = original!(c"sigaction", Function);
    // SAFETY: the arguments are those of the caller.
    unsafe { original(signal, action, before) }
}

fn handle_simply(signal: c_int, handler: sighandler_t) -> sighandler_t {
    type Function = unsafe extern "C" fn(c_int, sighandler_t) -> sighandler_t;
    let original = original!(c"signal", Function);
    // SAFETY: the arguments are those of the caller.
    unsafe { original(signal, handler) }
}

/// The action of a signal now.
fn action_of(signal: c_int) -> Action {
    // SAFETY: one of zeros is valid, and it is written.
    let mut action: Action = unsafe { std::mem::zeroed() };
    act(signal, ptr::null(), &mut action);
    action
}

/// The signal, once it is handled and as long as the program does not do so.
pub(super) fn chosen() -> Option<c_int> {
    Some(SIGNAL.load(Ordering::Relaxed)).filter(|&chosen| chosen != 0)
}

/// Handles a signal that is free, until the program does so, before which `end` is called; none if there is none, or was one.
/// The functions that this file defines are looked up by then, as handlers of the program may call them.
pub(super) fn handle(handler: Handler, end: fn()) -> Option<c_int> {
    if END.set(end).is_err() {
        return chosen();
    }
    handle_simply(0, libc::SIG_DFL);
    // Programs number theirs from the lowest on, and Valgrind has the highest.
    let mut signals = (libc::SIGRTMIN() + 1..libc::SIGRTMAX()).rev();
    let free = signals.find(|&signal| action_of(signal).sa_sigaction == libc::SIG_DFL)?;
    // SAFETY: one of zeros is valid.
    let mut action: Action = unsafe { std::mem::zeroed() };
    action.sa_sigaction = handler as usize;
    action.sa_flags = libc::SA_RESTART | libc::SA_SIGINFO;
    // SAFETY: fills the set. No other handler runs, or jumps, within this one.
    unsafe { libc::sigfillset(&mut action.sa_mask) };
    if act(free, &action, ptr::null_mut()) != 0 {
        return None;
    }
    SIGNAL.store(free, Ordering::Relaxed);
    Some(free)
}

/// Does what the signal does by default: it was not sent by a timer of ours.
pub(super) fn leave_to_default(signal: c_int) {
    // SAFETY: both may be called in a handler. The signal comes again when the handler has returned.
    unsafe {
        let action: Action = std::mem::zeroed();
        act(signal, &action, ptr::null_mut());
        libc::raise(signal);
    }
}

/// Leaves the signal to the program, which is about to handle it.
fn step_aside(signal: c_int) {
    if SIGNAL.swap(0, Ordering::Relaxed) == 0 {
        return;
    }
    END.get().into_iter().for_each(|end| end());
    // What has been sent and not yet come is forgotten by that.
    // SAFETY: one of zeros is valid.
    let mut ignoring: Action = unsafe { std::mem::zeroed() };
    ignoring.sa_sigaction = libc::SIG_IGN;
    act(signal, &ignoring, ptr::null_mut());
    act(signal, &Action { sa_sigaction: libc::SIG_DFL, ..ignoring }, ptr::null_mut());
    ats_work::say(format_args!(
        "ats-recorder: the program handles signal {signal} itself, which samples were taken by; nothing is sampled from \
         here on"
    ));
}

fn is_ours(signal: c_int) -> bool {
    signal != 0 && SIGNAL.load(Ordering::Relaxed) == signal
}

/// The function of the C library; but the signal of the samples is not handled as far as the program sees.
///
/// # Safety
/// As the function of the C library.
#[unsafe(no_mangle)]
unsafe extern "C" fn sigaction(signal: c_int, action: *const Action, before: *mut Action) -> c_int {
    if !is_ours(signal) {
        return act(signal, action, before);
    }
    if !action.is_null() {
        step_aside(signal);
        return act(signal, action, before);
    }
    // SAFETY: null, or a place for the answer. One of zeros is the default.
    unsafe {
        if !before.is_null() {
            *before = std::mem::zeroed();
        }
    }
    0
}

/// The function of the C library, as [`sigaction`].
///
/// # Safety
/// As the function of the C library.
#[unsafe(no_mangle)]
unsafe extern "C" fn signal(signal: c_int, handler: sighandler_t) -> sighandler_t {
    if is_ours(signal) {
        step_aside(signal);
    }
    handle_simply(signal, handler)
}
