#![allow(unsafe_code, reason = "a task's lifetime is forgotten while the runtime keeps it")]
//! Explicit tasks.

use std::marker::PhantomData;

/// The destination of an engine's tasks.
///
/// # Safety
/// Every task is executed, or dropped, before the region ends.
pub unsafe trait TaskQueue {
    /// Takes a task, to be executed by any thread of the team at a scheduling point, or at once.
    ///
    /// # Safety
    /// Everything that the task borrows outlives the region.
    unsafe fn push(&self, task: Box<dyn FnOnce() + Send>);
}

/// Creates tasks in a region; data of its `'env` outlives the region, as with [`std::thread::Scope`].
pub struct Tasks<'scope, 'env: 'scope> {
    queue: &'scope dyn TaskQueue,
    environment: PhantomData<&'env mut &'env ()>,
}

impl<'scope, 'env> Tasks<'scope, 'env> {
    /// That go to `queue`.
    ///
    /// # Safety
    /// `queue` executes every task before `'env` ends: it belongs to a region that `'env` outlives.
    pub unsafe fn new(queue: &'scope dyn TaskQueue) -> Self {
        Tasks { queue, environment: PhantomData }
    }

    /// Creates a task: some thread of the team executes `task` before the region ends.
    pub fn spawn(&self, task: impl FnOnce() + Send + 'env) {
        let task: Box<dyn FnOnce() + Send + 'env> = Box::new(task);
        // SAFETY: only the lifetime changes; by the contract of `new` the task is gone before `'env` ends.
        let task = unsafe {
            std::mem::transmute::<Box<dyn FnOnce() + Send + 'env>, Box<dyn FnOnce() + Send + 'static>>(task)
        };
        // SAFETY: what the task borrows lives for `'env`, which outlives the region.
        unsafe { self.queue.push(task) };
    }
}
