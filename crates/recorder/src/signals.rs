#![allow(unsafe_code, reason = "handles signals")]
//! Signals that would end the program: a thread of the recorder's own first writes what was recorded.
//!
//! Only a signal that would end the program anyway is handled, so a handler of the program's own stays, and one that it
//! installs later takes the place of this one. The program ends by the signal, as it does without the recorder.

use std::cell::UnsafeCell;
use std::ffi::c_int;
use std::mem::MaybeUninit;
use std::panic::catch_unwind;
use std::ptr;
use std::sync::atomic::{AtomicI32, Ordering};

/// Signals that users, launchers and batch systems end programs with.
const SIGNALS: [(c_int, &str); 6] = [
    (libc::SIGTERM, "SIGTERM"),
    (libc::SIGINT, "SIGINT"),
    (libc::SIGHUP, "SIGHUP"),
    (libc::SIGXCPU, "SIGXCPU"),
    (libc::SIGUSR1, "SIGUSR1"),
    (libc::SIGUSR2, "SIGUSR2"),
];

/// The process whose signals are handled; a child that is forked from it is another.
static PROCESS: AtomicI32 = AtomicI32::new(0);
/// The signal that has come; 0 until then.
static CAUGHT: AtomicI32 = AtomicI32::new(0);
static HAS_CAUGHT: Semaphore = Semaphore(UnsafeCell::new(MaybeUninit::zeroed()));

/// No pipe, since a program may close every file that it has not opened.
struct Semaphore(UnsafeCell<MaybeUninit<libc::sem_t>>);

// SAFETY: it is there to be shared; only the C library's functions touch it.
unsafe impl Sync for Semaphore {}

/// From now on a signal that ends this process first calls `write`, with the reason, on another thread. `write` calls
/// what it is given once it is done, which does not return.
pub(crate) fn watch(write: fn(&str, &dyn Fn())) {
    // SAFETY: it only asks the kernel.
    let process = unsafe { libc::getpid() };
    // The first process of a container is not ended by signals that it does not handle.
    if process == 1 || PROCESS.swap(process, Ordering::Relaxed) == process {
        return;
    }
    // SAFETY: nobody waits for the semaphore yet, since this happens once in a process.
    unsafe { libc::sem_init(HAS_CAUGHT.0.get().cast(), 0, 0) };
    if begin_thread(write) {
        SIGNALS.iter().for_each(|&(signal, _)| handle(signal));
    }
}

/// Begins the thread that waits for signals, and gets none itself.
fn begin_thread(write: fn(&str, &dyn Fn())) -> bool {
    // SAFETY: both sets are filled before they are read.
    unsafe {
        let (mut all, mut before) = (std::mem::zeroed(), std::mem::zeroed());
        libc::sigfillset(&mut all);
        libc::pthread_sigmask(libc::SIG_SETMASK, &all, &mut before);
        let thread = std::thread::Builder::new().name("ats-recorder".to_owned()).spawn(move || wait(write));
        libc::pthread_sigmask(libc::SIG_SETMASK, &before, ptr::null_mut());
        thread.is_ok()
    }
}

fn wait(write: fn(&str, &dyn Fn())) {
    // SAFETY: the semaphore was made before this thread.
    while unsafe { libc::sem_wait(HAS_CAUGHT.0.get().cast()) } != 0 {}
    let caught = CAUGHT.load(Ordering::Relaxed);
    let name = SIGNALS.iter().find(|(signal, _)| *signal == caught).map_or("", |(_, name)| name);
    // Whatever happens, the signal does its work.
    let _ = catch_unwind(|| write(&format!("ended by signal {name}"), &|| end_by(caught)));
    end_by(caught);
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

extern "C" fn on_signal(signal: c_int) {
    // SAFETY: a signal handler may call all of these.
    unsafe {
        if PROCESS.load(Ordering::Relaxed) == libc::getpid() {
            CAUGHT.store(signal, Ordering::Relaxed);
            libc::sem_post(HAS_CAUGHT.0.get().cast());
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
