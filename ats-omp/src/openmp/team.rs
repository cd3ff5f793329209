#![allow(unsafe_code, reason = "starts regions of the runtime")]
//! Parallel regions.

use std::cell::Cell;
use std::ffi::c_void;
use std::ptr;

use ats_model::openmp::Construct;
use ats_work::log::{self, Entered, Fork};

use super::entry::{self, PLAIN};
use super::{OpenMpThread, lock, runtime};
use crate::{Lock, LockKind, Team, protocol};

/// Starts parallel regions of LLVM's OpenMP runtime.
///
/// A team that is smaller than asked for ends the program with a message, because it would not show what it should.
/// Regions may be nested unless `OMP_MAX_ACTIVE_LEVELS` forbids it.
#[derive(Clone, Copy, Debug, Default)]
pub struct OpenMp;

/// A region, as its members see it. It lives on the stack of the thread that starts it, until all members are done.
struct Region<'a, F> {
    threads: usize,
    fork: Fork,
    body: &'a F,
    /// The master's implicit barrier; only the master touches it, which is the thread that starts the region.
    end: Cell<Option<Entered>>,
}

// SAFETY: a member gets the thread that it is, and the runtime ends a region when all its tasks are done.
unsafe impl Team for OpenMp {
    type Thread = OpenMpThread;

    fn max_threads(&self) -> usize {
        // SAFETY: asks only.
        unsafe { entry::omp_get_max_threads() as usize }
    }

    #[inline(always)]
    fn parallel<F: Fn(&OpenMpThread) + Sync>(&self, threads: usize, body: F) {
        protocol::check_asked(threads);
        let parallel = log::enter(Construct::Parallel.region());
        let region = Region { threads, fork: log::fork(), body: &body, end: Cell::new(None) };
        if threads > 1 {
            runtime::allow_nesting();
        }
        // SAFETY: the region outlives the call, which returns when all members are done.
        unsafe {
            let thread = entry::__kmpc_global_thread_num(&PLAIN);
            entry::__kmpc_push_num_threads(&PLAIN, thread, i32::try_from(threads).unwrap_or(i32::MAX));
            let argument = ptr::from_ref(&region).cast::<c_void>();
            entry::__kmpc_fork_call(&PLAIN, 1, member::<F>, argument);
        }
        if let Some(end) = region.end.get() {
            log::leave(end);
        }
        log::leave(parallel);
    }

    fn new_lock(&self, kind: LockKind) -> Lock {
        lock::new(kind)
    }
}

/// The function that the runtime calls on every thread of a team.
unsafe extern "C" fn member<F: Fn(&OpenMpThread) + Sync>(
    thread: *mut i32,
    number: *mut i32,
    region: *mut c_void,
) {
    // SAFETY: the runtime passes on what `parallel` gave it, beside its own numbers of the thread.
    let (thread, number, region) = unsafe { (*thread, *number as usize, &*region.cast::<Region<'_, F>>()) };
    runtime::check_team(number, region.threads);
    // SAFETY: it is used in this region only, on this thread.
    let member = unsafe { OpenMpThread::new(thread, number, region.threads, &region.fork) };
    let end = protocol::member(&region.fork, number, || (region.body)(&member));
    if number == 0 {
        region.end.set(end);
    }
}
