#![allow(unsafe_code, reason = "looks up the functions of an OpenMP runtime")]
//! The OpenMP runtime that the program has, if it has one; nothing is linked.

pub(crate) mod marks;

use std::ffi::{CStr, c_int};
use std::mem;
use std::sync::OnceLock;

type Number = extern "C" fn() -> c_int;
type NumberAt = extern "C" fn(c_int) -> c_int;

#[derive(Clone, Copy)]
struct Runtime {
    thread_num: Number,
    num_threads: Number,
    max_threads: Number,
    level: Number,
    ancestor: NumberAt,
}

fn runtime() -> Option<Runtime> {
    static FOUND: OnceLock<Option<Runtime>> = OnceLock::new();
    *FOUND.get_or_init(|| {
        Some(Runtime {
            thread_num: look_up(c"omp_get_thread_num")?,
            num_threads: look_up(c"omp_get_num_threads")?,
            max_threads: look_up(c"omp_get_max_threads")?,
            level: look_up(c"omp_get_level")?,
            ancestor: look_up(c"omp_get_ancestor_thread_num")?,
        })
    })
}

/// The function of OpenMP with this name, which must be of type `F`.
fn look_up<F: Copy>(name: &CStr) -> Option<F> {
    const { assert!(size_of::<F>() == size_of::<*mut libc::c_void>()) };
    // SAFETY: the name is a C string; a missing symbol is a null pointer.
    let address = unsafe { libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()) };
    // SAFETY: an address is as large as a function of C, and under these names OpenMP has functions of the types that
    // `Runtime` gives them.
    (!address.is_null()).then(|| unsafe { mem::transmute_copy::<*mut libc::c_void, F>(&address) })
}

/// The calling thread's number in its team, and how many the team has.
pub(crate) fn place() -> (usize, usize) {
    runtime().map_or((0, 1), |runtime| (number(runtime.thread_num), number(runtime.num_threads)))
}

/// The calling thread's number in each of the teams that it is in, from the outermost; with a last number of 0 it is the
/// thread that started the last team.
pub(crate) fn numbers() -> Vec<u32> {
    let Some(runtime) = runtime() else { return Vec::new() };
    let level = (runtime.level)();
    (1..=level).map(|level| (runtime.ancestor)(level) as u32).collect()
}

/// The most threads that a team may have.
pub(crate) fn max_threads() -> usize {
    runtime().map_or(1, |runtime| number(runtime.max_threads))
}

fn number(ask: Number) -> usize {
    usize::try_from(ask()).expect("OpenMP's numbers are not negative")
}
