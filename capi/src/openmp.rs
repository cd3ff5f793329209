#![allow(unsafe_code, reason = "looks up the functions of an OpenMP runtime")]
//! The OpenMP runtime that the program has, if it has one; nothing is linked.

use std::ffi::{CStr, c_int};
use std::mem;
use std::sync::OnceLock;

type Number = extern "C" fn() -> c_int;

#[derive(Clone, Copy)]
struct Runtime {
    thread_num: Number,
    num_threads: Number,
    max_threads: Number,
}

fn runtime() -> Option<Runtime> {
    static FOUND: OnceLock<Option<Runtime>> = OnceLock::new();
    *FOUND.get_or_init(|| {
        Some(Runtime {
            thread_num: look_up(c"omp_get_thread_num")?,
            num_threads: look_up(c"omp_get_num_threads")?,
            max_threads: look_up(c"omp_get_max_threads")?,
        })
    })
}

fn look_up(name: &CStr) -> Option<Number> {
    // SAFETY: the name is a C string; a missing symbol is a null pointer.
    let address = unsafe { libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()) };
    // SAFETY: under these names OpenMP has functions of exactly this type.
    (!address.is_null()).then(|| unsafe { mem::transmute::<*mut libc::c_void, Number>(address) })
}

/// The calling thread's number in its team, and how many the team has.
pub(crate) fn place() -> (usize, usize) {
    runtime().map_or((0, 1), |runtime| (number(runtime.thread_num), number(runtime.num_threads)))
}

/// The most threads that a team may have.
pub(crate) fn max_threads() -> usize {
    runtime().map_or(1, |runtime| number(runtime.max_threads))
}

fn number(ask: Number) -> usize {
    usize::try_from(ask()).expect("OpenMP's numbers are not negative")
}
