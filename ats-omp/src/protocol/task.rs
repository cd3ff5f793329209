//! Tasks, as they are numbered and executed.

use std::sync::atomic::{AtomicU64, Ordering};

use ats_model::openmp::Construct;
use ats_work::log::{self, Fork};

use super::{end, enter};

/// A task, and how many the process created before it since the log began.
pub(crate) struct NumberedTask {
    pub(super) number: u32,
    task: Box<dyn FnOnce() + Send>,
}

impl NumberedTask {
    pub(super) fn new(task: Box<dyn FnOnce() + Send>) -> Self {
        /// The log's session, and how many tasks were created in it.
        static CREATED: AtomicU64 = AtomicU64::new(0);
        let session = log::session() << 32;
        let in_session = |created: u64| if created >> 32 << 32 == session { created } else { session };
        let (Ok(before) | Err(before)) =
            CREATED
                .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |created| Some(in_session(created) + 1));
        let number = in_session(before) as u32;
        NumberedTask { number, task }
    }

    /// Executes it on member `member` of the team that `fork` started.
    pub(crate) fn execute(self, fork: &Fork, member: usize) {
        end::on_panic(member, || {
            fork.task(member, || {
                let entered = enter(Construct::Task);
                log::choose(entered, self.number);
                (self.task)();
                log::leave(entered);
            });
        });
    }
}
