#![allow(unsafe_code, reason = "hands a task to the runtime and takes it back")]
//! Tasks, as the runtime keeps them.

use std::ffi::c_void;

use ats_work::log::Fork;

use super::entry::{self, PLAIN, TIED, Task};
use crate::protocol::NumberedTask;

/// The data of a task that the runtime keeps for us.
struct Deferred {
    fork: *const Fork,
    task: NumberedTask,
}

/// Hands a task of the team that `fork` started to the runtime.
///
/// # Safety
/// `fork`, and what the task borrows, outlive the region; `thread` is the calling one.
pub(super) unsafe fn defer(thread: i32, fork: *const Fork, task: NumberedTask) {
    // SAFETY: the runtime gives aligned room for a `Deferred` with the task, which `execute` takes out again, once.
    unsafe {
        let (size, shareds) = (size_of::<Task>(), size_of::<Deferred>());
        let allocated = entry::__kmpc_omp_task_alloc(&PLAIN, thread, TIED, size, shareds, execute);
        (*allocated).shareds.cast::<Deferred>().write(Deferred { fork, task });
        entry::__kmpc_omp_task(&PLAIN, thread, allocated);
    }
}

unsafe extern "C" fn execute(_thread: i32, task: *mut Task) -> i32 {
    // SAFETY: `defer` wrote it, and the runtime executes a task once.
    let Deferred { fork, task } = unsafe { (*task).shareds.cast::<Deferred>().read() };
    // SAFETY: `fork` outlives the region, and the region its tasks.
    let (fork, number) = unsafe { (&*fork, entry::omp_get_thread_num()) };
    task.execute(fork, number as usize);
    0
}

const _: () = assert!(align_of::<Deferred>() <= align_of::<*mut c_void>());
