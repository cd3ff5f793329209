#![allow(
    unsafe_code,
    reason = "coroutines reach their world and their yielder through thread-local pointers"
)]
//! The world of a simulation: its three rooms, and the way in which coroutines reach them, wait and go on.
//!
//! A coroutine runs until it has to wait; it is resumed when the location that it waits for has come. Clocks are the
//! coroutines' own, and results do not depend on the order in which they run, with one exception: the time of an event
//! matters to wildcards, tests and probes. Such an operation goes to an agenda and is carried out only when nothing
//! can happen earlier any more, that is, when no coroutine can run and it is the earliest there.

use std::cell::{Cell, RefCell};

use corosensei::Yielder;

use crate::kernel::state::Kernel;
use crate::kernel::time::Picoseconds;
use crate::mpi::state::Mpi;
use crate::openmp::state::{DueForThreads, Omp};

/// Everything that the coroutines of a simulation share.
pub(crate) struct World<'a> {
    pub(crate) kernel: Kernel<'a>,
    pub(crate) mpi: Mpi,
    pub(crate) omp: Omp,
}

thread_local! {
    static WORLD: Cell<*const ()> = const { Cell::new(std::ptr::null()) };
}

/// Makes `world` the one that coroutines on this thread reach, as long as `run` runs.
pub(crate) fn enter<R>(world: &RefCell<World<'_>>, run: impl FnOnce() -> R) -> R {
    struct Restore(*const ());
    impl Drop for Restore {
        fn drop(&mut self) {
            WORLD.set(self.0);
        }
    }
    let _restore = Restore(WORLD.replace(std::ptr::from_ref(world).cast()));
    run()
}

/// Works on the world that this coroutine lives in. Must not be nested, and nothing inside may yield.
///
/// # Panics
/// The caller is not a coroutine of a simulation: a communicator has outlived its simulation.
#[inline(always)]
pub(crate) fn world<R>(work: impl FnOnce(&mut World<'_>) -> R) -> R {
    let world = WORLD.get();
    assert!(!world.is_null(), "a virtual communicator is used outside its simulation");
    // SAFETY: `enter` has set the pointer to a `RefCell<World>` that it borrows until it returns. The lifetime of the
    // sink inside is shortened to that of the call.
    let world = unsafe { &*world.cast::<RefCell<World<'_>>>() };
    work(&mut world.borrow_mut())
}

/// Works on the kernel of that world.
#[inline(always)]
pub(crate) fn kernel<R>(work: impl FnOnce(&mut Kernel<'_>) -> R) -> R {
    world(|world| work(&mut world.kernel))
}

/// Works on the state of MPI there.
#[inline(always)]
pub(crate) fn mpi<R>(work: impl FnOnce(&mut Mpi, &mut Kernel<'_>) -> R) -> R {
    world(|world| work(&mut world.mpi, &mut world.kernel))
}

/// Works on the state of OpenMP there.
#[inline(always)]
pub(crate) fn omp<R>(work: impl FnOnce(&mut Omp, &mut Kernel<'_>) -> R) -> R {
    world(|world| work(&mut world.omp, &mut world.kernel))
}

/// Keeps the yielder of the coroutine that starts to run.
pub(crate) fn started(yielder: &Yielder<(), ()>) {
    kernel(|kernel| kernel.here().yielder = yielder);
}

/// Gives the processor to others until this location is resumed. Returns at once in a destructor that runs because the
/// simulation is over.
pub(crate) fn pause() {
    let Some(yielder) = kernel(|kernel| (!kernel.is_over).then(|| kernel.here().yielder)) else {
        return after_the_end();
    };
    // SAFETY: the yielder lives as long as its coroutine, and it is this coroutine that runs.
    unsafe { &*yielder }.suspend(());
}

/// So often a body may catch the end of its simulation.
const MOST_CAUGHT: u32 = 1000;

/// A body that has caught the unwinding and wants to wait again is unwound again.
#[cold]
fn after_the_end() {
    if std::thread::panicking() {
        return;
    }
    kernel(|kernel| {
        kernel.caught += 1;
        if kernel.caught > MOST_CAUGHT {
            let place = kernel.place(kernel.current);
            eprintln!("{place} catches every panic: its simulation is over, and cannot be ended otherwise");
            std::process::abort();
        }
    });
    std::panic::resume_unwind(Box::new("the simulation is over"));
}

/// Waits until nothing can happen before `time` any more. The clock does not change.
pub(crate) fn in_order_at(time: Picoseconds) {
    kernel(|kernel| kernel.resume_at(time, kernel.number()));
    pause();
}

/// The same for this location's clock, which it returns.
pub(crate) fn in_order() -> Picoseconds {
    let now = kernel(|kernel| kernel.now());
    in_order_at(now);
    now
}

impl World<'_> {
    /// The location that runs next, after everything that is due before it has been done.
    pub(crate) fn next(&mut self) -> Option<u32> {
        let World { kernel, mpi, omp } = self;
        loop {
            if let Some(location) = kernel.next_ready() {
                if let Some(soon) = kernel.soon_ready() {
                    mpi.prefetch(soon);
                }
                return Some(location);
            }
            // At one time messages are matched before anybody goes on, and what is given to who waits comes last.
            let (arrival, location) = (mpi.arrivals.next_time(), kernel.next_time());
            let act = mpi.in_calls.as_ref().and_then(|in_calls| in_calls.next_time());
            let first = [arrival, act, location, omp.due.next_time()].into_iter().flatten().min()?;
            if act == Some(first) {
                mpi.act(kernel);
            } else if arrival == Some(first) {
                let (time, process) = mpi.arrivals.pop()?;
                mpi.match_arrived(kernel, process, time);
            } else if location == Some(first) {
                return kernel.next_due();
            } else {
                match omp.due.pop()? {
                    (time, DueForThreads::Tasks(team)) => omp.hand_out_tasks(kernel, team, time),
                    (time, DueForThreads::Lock(lock)) => omp.lock_due(kernel, lock, time),
                }
            }
        }
    }
}
