//! Explicit tasks: threads that rest execute them, the creator its newest first, others the oldest.

use ats_model::event::TaskId;
use rustc_hash::FxHashMap;

use crate::kernel::time::Picoseconds;

/// A task that is not yet executed.
pub(crate) struct Task {
    pub(crate) running: Running,
    /// Counts the tasks of the process.
    pub(crate) number: u32,
    pub(crate) parent: u64,
    /// The location that has created it.
    pub(crate) creator: u32,
    pub(crate) body: Box<dyn FnOnce() + Send>,
}

/// The task that a thread executes: its implicit task, or an explicit one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Running {
    /// Unlike that of any other task of the simulation.
    pub(crate) key: u64,
    pub(crate) id: TaskId,
}

/// The tasks of a simulation.
#[derive(Default)]
pub(crate) struct Tasks {
    keys: u64,
    /// Per rank, how many were created.
    created: FxHashMap<u32, u32>,
    children: FxHashMap<u64, Children>,
}

/// The children of a task.
#[derive(Clone, Copy, Debug, Default)]
struct Children {
    incomplete: u32,
    end: Picoseconds,
}

impl Tasks {
    fn key(&mut self) -> u64 {
        self.keys += 1;
        self.keys
    }

    /// The implicit task of a team's member.
    pub(crate) fn implicit(&mut self, member: u32) -> Running {
        Running { key: self.key(), id: TaskId { creator: member, generation: 0 } }
    }

    /// An explicit task, created by a process in a task; with its number in the process.
    pub(crate) fn explicit(&mut self, id: TaskId, rank: u32, parent: u64) -> (Running, u32) {
        self.children.entry(parent).or_default().incomplete += 1;
        let count = self.created.entry(rank).or_default();
        let number = *count;
        *count += 1;
        (Running { key: self.key(), id }, number)
    }

    /// A child of a task is complete.
    pub(crate) fn child_complete(&mut self, parent: u64, now: Picoseconds) {
        if let Some(children) = self.children.get_mut(&parent) {
            children.incomplete -= 1;
            children.end = children.end.max(now);
        }
    }

    /// When the last of a task's children so far was complete; `None` if one is not.
    pub(crate) fn children_end(&self, task: u64) -> Option<Picoseconds> {
        let children = self.children.get(&task).copied().unwrap_or_default();
        (children.incomplete == 0).then_some(children.end)
    }
}

/// The tasks of a team.
#[derive(Default)]
pub(crate) struct Queue {
    pub(crate) waiting: Vec<Task>,
    incomplete: u32,
    end: Picoseconds,
    /// Members that rest and have nothing to do.
    pub(crate) idle: Vec<u32>,
}

impl Queue {
    /// A task was created.
    pub(crate) fn created(&mut self) {
        self.incomplete += 1;
    }

    /// A task is complete.
    pub(crate) fn complete(&mut self, now: Picoseconds) {
        self.incomplete -= 1;
        self.end = self.end.max(now);
    }

    /// When the last of all tasks so far was complete; `None` if one is not.
    pub(crate) fn end(&self) -> Option<Picoseconds> {
        (self.incomplete == 0).then_some(self.end)
    }

    /// The position of the task that a thread takes, among all or among the children of one task.
    pub(crate) fn choice(&self, location: u32, only_children_of: Option<u64>) -> Option<usize> {
        let fits = |task: &Task| only_children_of.is_none_or(|parent| task.parent == parent);
        let own = self.waiting.iter().rposition(|task| task.creator == location && fits(task));
        own.or_else(|| self.waiting.iter().position(fits))
    }
}
