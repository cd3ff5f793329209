#![allow(unsafe_code, reason = "declares the entry points of LLVM's OpenMP runtime")]
//! The entry points of LLVM's OpenMP runtime (openmp/runtime/src/kmp.h), and the arguments that clang passes to them.

use std::ffi::{c_char, c_void};

/// The place of a construct in the source, and its kind (`ident_t`).
#[repr(C)]
pub(super) struct Ident {
    reserved_1: i32,
    flags: i32,
    reserved_2: i32,
    reserved_3: i32,
    source: *const c_char,
}

// SAFETY: nobody writes to it, and what it points to is static.
unsafe impl Sync for Ident {}

/// The place that clang gives without debug information; tools have the call's own address.
const SOURCE: &std::ffi::CStr = c";unknown;unknown;0;0;;";

const fn ident(flags: i32) -> Ident {
    const KMPC: i32 = 0x02;
    let (reserved_2, reserved_3) = (0, SOURCE.to_bytes().len() as i32);
    Ident { reserved_1: 0, flags: KMPC | flags, reserved_2, reserved_3, source: SOURCE.as_ptr() }
}

pub(super) static PLAIN: Ident = ident(0);
pub(super) static LOOP: Ident = ident(0x200);
pub(super) static SECTIONS: Ident = ident(0x400);
pub(super) static BARRIER: Ident = ident(0x20);
pub(super) static LOOP_BARRIER: Ident = ident(0x40);
pub(super) static SECTIONS_BARRIER: Ident = ident(0xC0);
pub(super) static SINGLE_BARRIER: Ident = ident(0x140);

/// Schedules of a loop's iterations (`sched_type`).
pub(super) mod sched {
    pub(crate) const STATIC_CHUNKED: i32 = 33;
    pub(crate) const STATIC: i32 = 34;
    pub(crate) const DYNAMIC: i32 = 35;
    pub(crate) const GUIDED: i32 = 36;
    pub(crate) const ORDERED_STATIC_CHUNKED: i32 = 65;
    pub(crate) const ORDERED_STATIC: i32 = 66;
    pub(crate) const ORDERED_DYNAMIC: i32 = 67;
    pub(crate) const ORDERED_GUIDED: i32 = 68;
    pub(crate) const MONOTONIC: i32 = 1 << 29;
    pub(crate) const NONMONOTONIC: i32 = 1 << 30;
}

/// A word that a critical is known by (`kmp_critical_name`), all zeros at first.
pub(super) type CriticalName = [i32; 8];

/// A task that the runtime keeps (`kmp_task_t`).
#[repr(C)]
pub(super) struct Task {
    pub(super) shareds: *mut c_void,
    routine: *const c_void,
    part: i32,
    data: [u64; 2],
}

/// A task is tied to the thread that begins it.
pub(super) const TIED: i32 = 1;

pub(super) type Microtask = unsafe extern "C" fn(thread: *mut i32, number: *mut i32, argument: *mut c_void);
pub(super) type Routine = unsafe extern "C" fn(thread: i32, task: *mut Task) -> i32;
pub(super) type Combine = unsafe extern "C" fn(*mut c_void, *mut c_void);

unsafe extern "C" {
    pub(super) fn __kmpc_global_thread_num(at: *const Ident) -> i32;
    pub(super) fn __kmpc_push_num_threads(at: *const Ident, thread: i32, threads: i32);
    pub(super) fn __kmpc_fork_call(at: *const Ident, arguments: i32, microtask: Microtask, ...);
    pub(super) fn __kmpc_barrier(at: *const Ident, thread: i32);
    pub(super) fn __kmpc_for_static_init_8u(
        at: *const Ident,
        thread: i32,
        schedule: i32,
        last: *mut i32,
        lower: *mut u64,
        upper: *mut u64,
        stride: *mut i64,
        increment: i64,
        chunk: i64,
    );
    pub(super) fn __kmpc_for_static_fini(at: *const Ident, thread: i32);
    pub(super) fn __kmpc_dispatch_init_8u(
        at: *const Ident,
        thread: i32,
        schedule: i32,
        lower: u64,
        upper: u64,
        stride: i64,
        chunk: i64,
    );
    pub(super) fn __kmpc_dispatch_next_8u(
        at: *const Ident,
        thread: i32,
        last: *mut i32,
        lower: *mut u64,
        upper: *mut u64,
        stride: *mut i64,
    ) -> i32;
    pub(super) fn __kmpc_dispatch_fini_8u(at: *const Ident, thread: i32);
    pub(super) fn __kmpc_ordered(at: *const Ident, thread: i32);
    pub(super) fn __kmpc_end_ordered(at: *const Ident, thread: i32);
    pub(super) fn __kmpc_single(at: *const Ident, thread: i32) -> i32;
    pub(super) fn __kmpc_end_single(at: *const Ident, thread: i32);
    pub(super) fn __kmpc_master(at: *const Ident, thread: i32) -> i32;
    pub(super) fn __kmpc_end_master(at: *const Ident, thread: i32);
    pub(super) fn __kmpc_critical(at: *const Ident, thread: i32, name: *mut CriticalName);
    pub(super) fn __kmpc_end_critical(at: *const Ident, thread: i32, name: *mut CriticalName);
    pub(super) fn __kmpc_atomic_start();
    pub(super) fn __kmpc_atomic_end();
    pub(super) fn __kmpc_flush(at: *const Ident);
    pub(super) fn __kmpc_reduce_nowait(
        at: *const Ident,
        thread: i32,
        variables: i32,
        size: usize,
        data: *mut c_void,
        combine: Option<Combine>,
        name: *mut CriticalName,
    ) -> i32;
    pub(super) fn __kmpc_end_reduce_nowait(at: *const Ident, thread: i32, name: *mut CriticalName);
    pub(super) fn __kmpc_omp_task_alloc(
        at: *const Ident,
        thread: i32,
        flags: i32,
        size: usize,
        shareds: usize,
        routine: Routine,
    ) -> *mut Task;
    pub(super) fn __kmpc_omp_task(at: *const Ident, thread: i32, task: *mut Task) -> i32;
    pub(super) fn __kmpc_omp_taskwait(at: *const Ident, thread: i32) -> i32;

    pub(super) fn omp_init_lock(lock: *mut *mut c_void);
    pub(super) fn omp_destroy_lock(lock: *mut *mut c_void);
    pub(super) fn omp_set_lock(lock: *mut *mut c_void);
    pub(super) fn omp_unset_lock(lock: *mut *mut c_void);
    pub(super) fn omp_test_lock(lock: *mut *mut c_void) -> i32;
    pub(super) fn omp_init_nest_lock(lock: *mut *mut c_void);
    pub(super) fn omp_destroy_nest_lock(lock: *mut *mut c_void);
    pub(super) fn omp_set_nest_lock(lock: *mut *mut c_void);
    pub(super) fn omp_unset_nest_lock(lock: *mut *mut c_void);
    pub(super) fn omp_test_nest_lock(lock: *mut *mut c_void) -> i32;

    pub(super) fn omp_get_thread_num() -> i32;
    pub(super) fn omp_get_num_threads() -> i32;
    pub(super) fn omp_get_max_threads() -> i32;
    pub(super) fn omp_set_num_threads(threads: i32);
    pub(super) fn omp_get_thread_limit() -> i32;
    pub(super) fn omp_get_dynamic() -> i32;
    pub(super) fn omp_get_active_level() -> i32;
    pub(super) fn omp_get_max_active_levels() -> i32;
    pub(super) fn omp_set_max_active_levels(levels: i32);
    pub(super) fn kmp_set_blocktime(milliseconds: i32);
    pub(super) fn kmp_set_defaults(setting: *const c_char);
}
