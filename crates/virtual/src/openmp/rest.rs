//! Rest of a thread at a barrier or taskwait: it executes tasks, or waits.

use crate::kernel::time::Picoseconds;
use crate::openmp::task::Task;

/// A resting point of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Point {
    Barrier,
    /// The barrier at the end of the region.
    End,
    /// Until the children of this task are complete.
    TaskWait(u64),
}

impl Point {
    /// The task whose children are the only ones that are executed here.
    pub(crate) fn only_children_of(self) -> Option<u64> {
        match self {
            Point::TaskWait(parent) => Some(parent),
            Point::Barrier | Point::End => None,
        }
    }
}

/// The state of a thread that rests.
#[derive(Default)]
pub(crate) struct Rest {
    pub(crate) point: Option<Point>,
    /// Since when it has nothing to do.
    pub(crate) since: Picoseconds,
    /// A task that it is to execute.
    pub(crate) task: Option<Task>,
    pub(crate) completion: Option<Completion>,
}

/// The completion of what a thread has waited for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Completion {
    /// When the last member came.
    pub(crate) latest: Picoseconds,
    /// When it, and all tasks, were complete.
    pub(crate) at: Picoseconds,
    /// When a real run's workers leave.
    pub(crate) leaves: Option<Picoseconds>,
    /// Whether members could have changed places since the last barrier.
    pub(crate) exchangeable: bool,
}

/// The next step of a resting thread.
pub(crate) enum Step {
    GoOn,
    Execute(Task),
    Wait,
}
