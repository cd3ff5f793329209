#![allow(unsafe_code, reason = "engines promise that a region's end completes its tasks")]
//! Teams of threads, and the actions of a thread in a team.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::{Lock, LockKind, Schedule, TaskQueue, Tasks};

/// Starts parallel regions.
///
/// A handle: inside a region it may be used again, by any thread, for a nested region.
///
/// # Safety
/// [`Team::parallel`] gives `body` threads of the region that it starts, no others, and returns when every task that
/// was put into their queues is executed or dropped.
///
/// A team that hands on the threads of another one keeps this promise, and must say so:
///
/// ```
/// # use ats_omp::{Lock, LockKind, Team};
/// struct Same<T>(T);
///
/// // SAFETY: `T` keeps the promise.
/// unsafe impl<T: Team> Team for Same<T> {
///     type Thread = T::Thread;
/// #   fn max_threads(&self) -> usize {
/// #       self.0.max_threads()
/// #   }
/// #   fn new_lock(&self, kind: LockKind) -> Lock {
/// #       self.0.new_lock(kind)
/// #   }
///     fn parallel<F: Fn(&T::Thread) + Sync>(&self, threads: usize, body: F) {
///         self.0.parallel(threads, body);
///     }
/// }
/// ```
///
/// Code without `unsafe` cannot break it:
///
/// ```compile_fail,E0200
/// # use ats_omp::{Lock, LockKind, Team};
/// # struct Same<T>(T);
/// #
/// impl<T: Team> Team for Same<T> {
/// #   type Thread = T::Thread;
/// #   fn max_threads(&self) -> usize {
/// #       self.0.max_threads()
/// #   }
/// #   fn new_lock(&self, kind: LockKind) -> Lock {
/// #       self.0.new_lock(kind)
/// #   }
/// #   fn parallel<F: Fn(&T::Thread) + Sync>(&self, threads: usize, body: F) {
/// #       self.0.parallel(threads, body);
/// #   }
/// # }
/// ```
pub unsafe trait Team: Sync {
    /// A member's view of its thread.
    type Thread: Thread + ?Sized;

    /// The number of threads of a region of this program, unless it asks for another (`omp_get_max_threads`).
    fn max_threads(&self) -> usize;

    /// Executes `body` on every thread of a team of `threads`, and waits for all of them in an implicit barrier.
    ///
    /// A panic in `body` ends the program.
    fn parallel<F: Fn(&Self::Thread) + Sync>(&self, threads: usize, body: F);

    /// As [`Team::parallel`], for regions that create tasks. The region's end completes them, so they may borrow data
    /// that outlives the region.
    #[inline(always)]
    fn parallel_tasks<'env, F>(&self, threads: usize, body: F)
    where
        F: Fn(&Self::Thread, &Tasks<'_, 'env>) + Sync + 'env,
    {
        self.parallel(threads, |t| {
            // SAFETY: `t` is in the region, whose end completes its tasks, and `'env` outlives the region.
            let tasks = unsafe { Tasks::new(t.queue()) };
            body(t, &tasks);
        });
    }

    /// A new, free lock (`omp_init_lock`, `omp_init_nest_lock`); it is destroyed when dropped.
    fn new_lock(&self, kind: LockKind) -> Lock;
}

/// The thread that executes a member of a team. Every member of a team reaches every barrier and worksharing
/// construct, in the same order, or none does.
pub trait Thread {
    /// The number in the team; the master is 0 (`omp_get_thread_num`).
    fn number(&self) -> usize;

    /// The number of threads of the team (`omp_get_num_threads`).
    fn threads(&self) -> usize;

    /// Waits for all threads of the team.
    fn barrier(&self);

    /// Shares a loop's iterations, numbered from 0, between the threads, and waits for all of them.
    fn for_each(&self, iterations: usize, schedule: Schedule, body: impl Fn(usize));

    /// As [`Thread::for_each`], without waiting at its end.
    fn for_each_nowait(&self, iterations: usize, schedule: Schedule, body: impl Fn(usize));

    /// A loop with an ordered construct: `parallel` of an iteration runs whenever its thread comes to it, then `ordered`
    /// when that of every earlier iteration is done. Waits for all at its end.
    fn for_ordered(
        &self,
        iterations: usize,
        schedule: Schedule,
        parallel: impl Fn(usize),
        ordered: impl Fn(usize),
    );

    /// Shares sections, numbered from 0, between the threads, and waits for all of them.
    fn sections(&self, sections: usize, body: impl Fn(usize));

    /// As [`Thread::sections`], without waiting at the end.
    fn sections_nowait(&self, sections: usize, body: impl Fn(usize));

    /// One thread executes `body`; all wait for it.
    fn single(&self, body: impl FnOnce());

    /// One thread executes `body`; the others do not wait.
    fn single_nowait(&self, body: impl FnOnce());

    /// The master executes `body`; the others do not wait.
    fn master(&self, body: impl FnOnce());

    /// Executes `body` while no other thread of the program is in a critical of this name.
    fn critical<R>(&self, name: &'static str, body: impl FnOnce() -> R) -> R;

    /// Executes `body` while this thread has the lock.
    fn with_lock<R>(&self, lock: &Lock, body: impl FnOnce() -> R) -> R;

    /// As [`Thread::with_lock`], if the lock is free; else nothing happens.
    fn try_with_lock<R>(&self, lock: &Lock, body: impl FnOnce() -> R) -> Option<R>;

    /// Updates `target` atomically (the `atomic` construct).
    fn atomic(&self, target: &AtomicU64, update: impl Fn(u64) -> u64);

    /// Adds every thread's `value` to `sum` (a `reduction` clause). The sum is complete after the next barrier.
    fn reduce(&self, value: f64, sum: &Reduction);

    /// Waits for the tasks that the current task has created.
    fn taskwait(&self);

    /// Makes memory consistent (the `flush` construct).
    fn flush(&self);

    /// The destination of tasks; [`Team::parallel_tasks`] wraps it.
    fn queue(&self) -> &dyn TaskQueue;
}

/// A sum that threads add to by [`Thread::reduce`].
#[derive(Debug, Default)]
pub struct Reduction(AtomicU64);

impl Reduction {
    /// The sum so far.
    pub fn get(&self) -> f64 {
        f64::from_bits(self.0.load(Ordering::SeqCst))
    }

    /// Adds to the sum; for engines.
    pub fn add(&self, value: f64) {
        let add = |bits| Some((f64::from_bits(bits) + value).to_bits());
        let added = self.0.fetch_update(Ordering::SeqCst, Ordering::SeqCst, add);
        debug_assert!(added.is_ok(), "the closure always gives a value");
    }
}
