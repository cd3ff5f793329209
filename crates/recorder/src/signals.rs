#![allow(unsafe_code, reason = "handles signals")]
//! Signals that would end the program: a thread of the recorder's own first writes what was recorded.
//!
//! Only a signal that would end the program anyway is handled, so a handler of the program's own stays, and one that it
//! installs later takes the place of this one. The program ends by the signal, as it does without the recorder.
//!
//! The thread that crashes waits in the handler until that is done, and then crashes as it would have. Open MPI's handlers
//! of crashes, which print the stack, come after the recorder's.

use std::cell::UnsafeCell;
use std::ffi::{c_int, c_void};
use std::mem::MaybeUninit;
use std::panic::catch_unwind;
use std::ptr;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};

use crate::background::{self, Semaphore};
use crate::code;

/// Signals that users, launchers and batch systems end programs with.
const SIGNALS: [(c_int, &str); 6] = [
    (libc::SIGTERM, "SIGTERM"),
    (libc::SIGINT, "SIGINT"),
    (libc::SIGHUP, "SIGHUP"),
    (libc::SIGXCPU, "SIGXCPU"),
    (libc::SIGUSR1, "SIGUSR1"),
    (libc::SIGUSR2, "SIGUSR2"),
];

/// Signals that a program ends itself with by an error of its own.
const CRASHES: [(c_int, &str); 5] = [
    (libc::SIGSEGV, "SIGSEGV"),
    (libc::SIGABRT, "SIGABRT"),
    (libc::SIGBUS, "SIGBUS"),
    (libc::SIGFPE, "SIGFPE"),
    (libc::SIGILL, "SIGILL"),
];

/// The longest time, in steps of a millisecond, that a crash is held back. What crashed may hold something that writing
/// needs; a full buffer is written in about a second.
const CRASH_PATIENCE: u32 = 10_000;

/// The actions of the program's crashes, in the order of [`CRASHES`].
struct Actions(UnsafeCell<[MaybeUninit<libc::sigaction>; CRASHES.len()]>);

// SAFETY: each is written before its signal is handled, and only read while it is.
unsafe impl Sync for Actions {}

static ACTIONS: Actions = Actions(UnsafeCell::new([MaybeUninit::zeroed(); CRASHES.len()]));

/// The process whose signals are handled; a child that is forked from it is another.
static PROCESS: AtomicI32 = AtomicI32::new(0);
/// The signal that has come; 0 until then.
static CAUGHT: AtomicI32 = AtomicI32::new(0);
/// Whether all is written that can be, after a crash.
static IS_SAVED: AtomicBool = AtomicBool::new(false);
static HAS_CAUGHT: Semaphore = Semaphore::new();

/// The function that writes what was recorded: for this reason, and whether that is a crash, so that no other rank need
/// end. Once it is done, it calls what it is given, and that returns only after a crash.
type Write = fn(&str, bool, &dyn Fn());

/// Whether the thread that asks is recording something right now.
static IS_RECORDING: OnceLock<fn() -> bool> = OnceLock::new();

/// From now on a signal that ends this process first calls `write` on another thread; not if it is a crash of a thread that
/// `is_recording`, since what it crashes with cannot be written.
pub(crate) fn watch(write: Write, is_recording: fn() -> bool) {
    // SAFETY: it only asks the kernel.
    let process = unsafe { libc::getpid() };
    // The first process of a container is not ended by signals that it does not handle.
    if process == 1 || PROCESS.swap(process, Ordering::Relaxed) == process {
        return;
    }
    IS_RECORDING.get_or_init(|| is_recording);
    HAS_CAUGHT.reset();
    if background::begin("ats-recorder", move || wait(write)) {
        SIGNALS.iter().for_each(|&(signal, _)| handle(signal));
        (0..CRASHES.len()).for_each(handle_crash);
    }
}

/// Handles crashes again, after libraries have put back what they found: threads that they leave behind may crash while this one
/// still writes. UCX's does, once its destructors have run without `MPI_Finalize`.
pub(crate) fn watch_at_last() {
    // SAFETY: it only asks the kernel.
    let is_own = PROCESS.load(Ordering::Relaxed) == unsafe { libc::getpid() };
    if is_own && CAUGHT.load(Ordering::Relaxed) == 0 {
        (0..CRASHES.len()).for_each(handle_crash);
    }
}

fn wait(write: Write) {
    HAS_CAUGHT.wait();
    let caught = CAUGHT.load(Ordering::Relaxed);
    let is_crash = CRASHES.iter().any(|(signal, _)| *signal == caught);
    let end = || if is_crash { IS_SAVED.store(true, Ordering::Release) } else { end_by(caught) };
    let name =
        CRASHES.iter().chain(&SIGNALS).find(|(signal, _)| *signal == caught).map_or("", |(_, name)| name);
    // Whatever happens, the signal does its work.
    let _ = catch_unwind(|| write(&format!("ended by signal {name}"), is_crash, &end));
    end();
}

/// Ends the process by a signal.
fn end_by(signal: c_int) {
    // SAFETY: the set is filled before it is read; the thread has no work left.
    unsafe {
        libc::signal(signal, libc::SIG_DFL);
        let mut only = std::mem::zeroed();
        libc::sigemptyset(&mut only);
        libc::sigaddset(&mut only, signal);
        libc::pthread_sigmask(libc::SIG_UNBLOCK, &only, ptr::null_mut());
        libc::raise(signal);
    }
}

/// Handles a signal, if it would end the program.
fn handle(signal: c_int) {
    // SAFETY: the old action is written before it is read; the new one is a function of the type that the flags ask for.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        libc::sigaction(signal, ptr::null(), &mut action);
        if action.sa_sigaction == libc::SIG_DFL {
            action.sa_sigaction = on_signal as extern "C" fn(c_int) as usize;
            action.sa_flags = libc::SA_RESTART | libc::SA_ONSTACK;
            libc::sigemptyset(&mut action.sa_mask);
            libc::sigaction(signal, &action, ptr::null_mut());
        }
    }
}

/// Handles a crash, if it ends the program as far as is known.
fn handle_crash(at: usize) {
    let (signal, _) = CRASHES[at];
    // SAFETY: the old action is written before it is read; the new one is a function of the type that the flags ask for.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        libc::sigaction(signal, ptr::null(), &mut action);
        if action.sa_sigaction == libc::SIG_DFL || code::is_in_mpi(action.sa_sigaction) {
            (*ACTIONS.0.get())[at].write(action);
            let handler: extern "C" fn(c_int, *mut libc::siginfo_t, *mut c_void) = on_crash;
            action.sa_sigaction = handler as usize;
            action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
            libc::sigemptyset(&mut action.sa_mask);
            libc::sigaction(signal, &action, ptr::null_mut());
        }
    }
}

extern "C" fn on_crash(signal: c_int, info: *mut libc::siginfo_t, _: *mut c_void) {
    // SAFETY: a signal handler may call all of these, and the kernel hands the information in.
    unsafe {
        let is_own = PROCESS.load(Ordering::Relaxed) == libc::getpid();
        if is_own && !IS_RECORDING.get().is_some_and(|is_recording| is_recording()) {
            if CAUGHT.compare_exchange(0, signal, Ordering::Relaxed, Ordering::Relaxed).is_ok() {
                HAS_CAUGHT.post();
            }
            let step = libc::timespec { tv_sec: 0, tv_nsec: 1_000_000 };
            let mut steps = 0;
            while steps < CRASH_PATIENCE && !IS_SAVED.load(Ordering::Acquire) {
                libc::nanosleep(&step, ptr::null_mut());
                steps += 1;
            }
        }
        let before = CRASHES.iter().position(|(crash, _)| *crash == signal);
        let before = before.map_or(ptr::null(), |at| (*ACTIONS.0.get())[at].as_ptr());
        libc::sigaction(signal, before, ptr::null_mut());
        // An instruction that failed fails again; a signal that was sent, as by abort, does not come again by itself.
        if (*info).si_code <= 0 {
            libc::raise(signal);
        }
    }
}

extern "C" fn on_signal(signal: c_int) {
    // SAFETY: a signal handler may call all of these.
    unsafe {
        if PROCESS.load(Ordering::Relaxed) == libc::getpid() {
            CAUGHT.store(signal, Ordering::Relaxed);
            HAS_CAUGHT.post();
        } else {
            libc::signal(signal, libc::SIG_DFL);
            libc::raise(signal);
        }
    }
}

/// Lets the recorder write beyond the limit of the size of files: that is an error of the recorder's, as a full disk is,
/// and no reason to end the program by `SIGXFSZ`.
pub(crate) fn without_limit_of_files<T>(write: impl FnOnce() -> T) -> T {
    // SAFETY: the sets are filled before they are read. The signal of a write is the writing thread's own; one that the
    // program has blocked and not yet taken stays.
    unsafe {
        let (mut only, mut before, mut pending) =
            (std::mem::zeroed(), std::mem::zeroed(), std::mem::zeroed());
        libc::sigemptyset(&mut only);
        libc::sigaddset(&mut only, libc::SIGXFSZ);
        libc::sigpending(&mut pending);
        libc::pthread_sigmask(libc::SIG_BLOCK, &only, &mut before);
        let written = write();
        if libc::sigismember(&pending, libc::SIGXFSZ) == 0 {
            let now = libc::timespec { tv_sec: 0, tv_nsec: 0 };
            libc::sigtimedwait(&only, ptr::null_mut(), &now);
        }
        libc::pthread_sigmask(libc::SIG_SETMASK, &before, ptr::null_mut());
        written
    }
}
