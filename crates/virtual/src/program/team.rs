#![allow(
    unsafe_code,
    reason = "teams and locks are handed over by unsafe contracts, and workers run a closure on another's stack"
)]
//! Teams: the coroutines of a parallel region.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use ats_model::openmp::Construct;
use ats_omp::{Lock, LockKind, Team};
use corosensei::Coroutine;

use crate::kernel::error::failure;
use crate::kernel::stack::SlabStack;
use crate::openmp::body::Body;
use crate::openmp::construct;
use crate::openmp::rest::Point;
use crate::program::rank::Rank;
use crate::program::thread::VirtualThread;
use crate::world::{self, World, kernel, omp, pause};

/// Starts parallel regions in virtual time.
#[derive(Clone, Copy, Debug)]
pub struct VirtualTeam {
    threads: usize,
}

impl VirtualTeam {
    pub(crate) fn new(threads: usize) -> Self {
        VirtualTeam { threads }
    }
}

// SAFETY: the members that `parallel` starts get threads of its team, and meet, when no task is left, at its end.
unsafe impl Team for VirtualTeam {
    type Thread = VirtualThread;

    fn max_threads(&self) -> usize {
        self.threads
    }

    fn parallel<F: Fn(&VirtualThread) + Sync>(&self, threads: usize, body: F) {
        parallel(threads, &body);
    }

    fn new_lock(&self, kind: LockKind) -> Lock {
        let number = omp(|omp, _| omp.locks.make());
        // SAFETY: there is nothing to destroy; the world forgets its locks with itself.
        unsafe { Lock::new(kind, number as usize, |_, _| ()) }
    }
}

/// A thread of a team other than its master, ready to run.
pub(crate) fn spawn(body: Body, stack: SlabStack) -> Rank {
    Coroutine::with_stack(stack, move |yielder, ()| {
        world::started(yielder);
        // SAFETY: the master waits in `parallel` for this thread, or gives up there and is unwound after it.
        unsafe { body.run() };
        omp(|omp, kernel| omp.end_worker(kernel));
    })
}

/// Executes `body` on every member of a team of `threads`, whose master is the coroutine that runs.
fn parallel(threads: usize, body: &dyn Fn(&VirtualThread)) {
    if threads == 0 {
        let failure = kernel(|kernel| {
            kernel.misuse("a team of 0 threads was asked for: it has at least one".to_owned())
        });
        resume_unwind(Box::new(failure));
    }
    let region = || {
        let thread = VirtualThread::begin();
        body(&thread);
        thread.meet(Construct::ImplicitBarrier, Point::End);
    };
    let frame = kernel(|kernel| construct::before(kernel, Construct::Parallel));
    world::world(|World { kernel, mpi, omp }| {
        omp.fork(kernel, threads as u32, Body::new(&region));
        mpi.here(kernel).teams += u32::from(threads > 1);
    });
    if let Err(panic) = catch_unwind(AssertUnwindSafe(&region)) {
        give_up(panic);
    }
    world::world(|World { kernel, mpi, omp }| {
        mpi.here(kernel).teams -= u32::from(threads > 1);
        omp.join(kernel, &frame);
    });
}

/// Ends the simulation because of a panic. Data that the team's other members use stays until they are gone.
fn give_up(panic: Box<dyn std::any::Any + Send>) -> ! {
    if kernel(|kernel| kernel.is_over) {
        resume_unwind(panic);
    }
    kernel(|kernel| {
        let failure = failure(kernel.place(kernel.current), panic);
        kernel.fail(failure);
    });
    loop {
        pause();
    }
}
