//! Explicit tasks: threads that rest execute them, the creator its newest first, others the oldest.

use ats_model::event::{Event, TaskId};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::SimulationError;
use crate::barrier::{Point, Rest, Step};
use crate::call::Frame;
use crate::team::Member;
use crate::time::Picoseconds;
use crate::world::{Due, World};

/// A task that nobody executes yet.
pub(crate) struct Task {
    running: Running,
    /// Counts the tasks of the process.
    number: u32,
    parent: u64,
    /// The location that has created it.
    pub(crate) creator: u32,
    pub(crate) body: Box<dyn FnOnce() + Send>,
}

/// What a thread executes: its implicit task, or an explicit one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Running {
    /// Unlike that of any other task of the simulation.
    pub(crate) key: u64,
    id: TaskId,
}

/// The tasks of a simulation.
#[derive(Default)]
pub(crate) struct Tasks {
    keys: u64,
    /// Per rank, how many were created.
    created: FxHashMap<u32, u32>,
    children: FxHashMap<u64, Children>,
}

/// What a task has created.
#[derive(Clone, Copy, Debug, Default)]
struct Children {
    incomplete: u32,
    end: Picoseconds,
}

/// The tasks of a team.
#[derive(Default)]
pub(crate) struct Queue {
    waiting: Vec<Task>,
    incomplete: u32,
    end: Picoseconds,
    /// Members that rest and have nothing to do.
    pub(crate) idle: Vec<u32>,
}

impl Queue {
    /// Whether no task waits.
    pub(crate) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// When the last of all tasks so far was complete; none where one is not.
    pub(crate) fn end(&self) -> Option<Picoseconds> {
        (self.incomplete == 0).then_some(self.end)
    }

    /// The task that a thread takes.
    fn choice(&self, location: u32, point: Point) -> Option<usize> {
        let fits = |task: &Task| match point {
            Point::TaskWait(parent) => task.parent == parent,
            Point::Barrier | Point::End => true,
        };
        let own = self.waiting.iter().rposition(|task| task.creator == location && fits(task));
        own.or_else(|| self.waiting.iter().position(fits))
    }
}

impl Tasks {
    /// The implicit task of a team's member.
    pub(crate) fn implicit(&mut self, member: u32) -> Running {
        self.keys += 1;
        Running { key: self.keys, id: TaskId { creator: member, generation: 0 } }
    }

    /// When the last of a task's children so far was complete; none where one is not.
    pub(crate) fn children_end(&self, task: u64) -> Option<Picoseconds> {
        let children = self.children.get(&task).copied().unwrap_or_default();
        (children.incomplete == 0).then_some(children.end)
    }
}

impl World<'_> {
    /// The thread that runs creates a task in the construct `frame`. Nothing can happen before any more. Returns the task if
    /// a real run executed it at once.
    pub(crate) fn create_task(&mut self, frame: &Frame, body: Box<dyn FnOnce() + Send>) -> Option<Task> {
        let (rank, creator, recorded) = (self.thread().rank, self.current as u32, self.choice(frame));
        let member = self.member()?;
        member.created += 1;
        let Member { team, number: at, task: parent, created: generation, .. } = *member;
        let tasks = &mut self.threads.tasks;
        tasks.keys += 1;
        let running = Running { key: tasks.keys, id: TaskId { creator: at, generation } };
        tasks.children.entry(parent.key).or_default().incomplete += 1;
        let count = tasks.created.entry(rank).or_default();
        let number = recorded.unwrap_or(*count);
        *count += 1;
        self.team_event(|team| Event::ThreadTaskCreate { team, task: running.id });
        let task = Task { running, number, parent: parent.key, creator, body };
        let queue = &mut self.threads.teams[team as usize].tasks;
        queue.incomplete += 1;
        let leave = frame.pinned_leave().unwrap_or(0);
        let at_once = self.here().pins.as_ref().and_then(|pins| pins.next_task_before(leave));
        if at_once == Some(number) {
            return Some(task);
        }
        self.offer(team, task);
        None
    }

    /// All tasks that nobody has begun to execute.
    pub(crate) fn take_tasks(&mut self) -> Vec<Task> {
        let given =
            self.threads.of.iter_mut().filter_map(|thread| thread.rest.task.take()).collect::<Vec<_>>();
        let queued = self.threads.teams.iter_mut().flat_map(|team| std::mem::take(&mut team.tasks.waiting));
        queued.chain(given).collect()
    }

    /// Calls the threads that rest to a new task; in a replay the one that executed it.
    fn offer(&mut self, team: u32, task: Task) {
        let now = self.here().clock;
        if !self.replays() {
            let Self { threads, .. } = self;
            let queue = &mut threads.teams[team as usize].tasks;
            queue.waiting.push(task);
            let times: SmallVec<[Picoseconds; 8]> =
                queue.idle.iter().map(|&idle| now.max(threads.of[idle as usize].rest.since)).collect();
            for time in times {
                self.push(time, Due::Tasks(team));
            }
            return;
        }
        let Self { threads, locations, .. } = self;
        let queue = &mut threads.teams[team as usize].tasks;
        let next =
            |location: u32| locations[location as usize].pins.as_ref().and_then(|pins| pins.next_task());
        match queue.idle.iter().position(|&location| next(location) == Some(task.number)) {
            Some(at) => {
                let location = queue.idle.swap_remove(at);
                threads.of[location as usize].rest.task = Some(task);
                self.ready(location);
            }
            None => queue.waiting.push(task),
        }
    }

    /// What a thread that rests does: executes a task that is there for it, or waits.
    pub(crate) fn seek_task(&mut self, team: u32) -> Step {
        if let Some(pins) = &self.here().pins {
            let next = pins.next_task();
            let waiting = &mut self.threads.teams[team as usize].tasks.waiting;
            if let Some(at) = waiting.iter().position(|task| Some(task.number) == next) {
                return Step::Execute(waiting.remove(at));
            }
        }
        self.idle(team);
        Step::Wait
    }

    /// Gives tasks to the threads of a team that rest, as of `now`; nothing can happen before `now` any more.
    pub(crate) fn hand_out_tasks(&mut self, team: u32, now: Picoseconds) {
        loop {
            let Self { threads, locations, .. } = self;
            let queue = &mut threads.teams[team as usize].tasks;
            let of = &mut threads.of;
            let asks = queue.idle.iter().enumerate().filter_map(|(at, &location)| {
                let thread = &of[location as usize];
                let (since, point) = (thread.rest.since, thread.rest.point?);
                let task = queue.choice(location, point).filter(|_| since <= now)?;
                Some((since, thread.number, at, task))
            });
            let Some((.., at, task)) = asks.min() else { return };
            let location = queue.idle.swap_remove(at);
            let task = queue.waiting.remove(task);
            locations[location as usize].clock = now;
            of[location as usize].rest.task = Some(task);
            self.ready(location);
        }
    }

    /// The thread that runs begins to execute a task. What it returns is for [`World::end_task`].
    pub(crate) fn begin_task(&mut self, frame: &Frame, task: &Task) -> Result<Interrupted, SimulationError> {
        if let Some(recorded) = self.choice(frame)
            && recorded != task.number
        {
            let reason = format!("it executes task {recorded}, where the program executes {}", task.number);
            return Err(self.misfit(self.current, reason));
        }
        self.exchangeable();
        let rest = std::mem::take(&mut self.thread().rest);
        let Running { key, id } = task.running;
        self.team_event(|team| Event::ThreadTaskSwitch { team, task: id });
        self.enter_region(frame.region);
        let member = self.member().expect("a team's task is executed by its members");
        let task_before = std::mem::replace(&mut member.task, Running { key, id });
        Ok(Interrupted { rest, task: task_before, parent: task.parent })
    }

    /// The thread that runs has executed a task and goes on with what it did before. Returns how long that took.
    pub(crate) fn end_task(&mut self, frame: &Frame, before: Interrupted) -> Picoseconds {
        self.leave(frame);
        let now = self.here().clock;
        let Interrupted { rest, task: task_before, parent } = before;
        self.thread().rest = rest;
        let member = self.member().expect("a team's task is executed by its members");
        let task = std::mem::replace(&mut member.task, task_before);
        let team = member.team;
        self.team_event(|team| Event::ThreadTaskComplete { team, task: task.id });
        self.team_event(|team| Event::ThreadTaskSwitch { team, task: task_before.id });
        let queue = &mut self.threads.teams[team as usize].tasks;
        queue.incomplete -= 1;
        queue.end = queue.end.max(now);
        if let Some(children) = self.threads.tasks.children.get_mut(&parent) {
            children.incomplete -= 1;
            children.end = children.end.max(now);
        }
        self.release_parent(team, parent);
        self.try_complete(team);
        now - frame.enter
    }

    /// Lets a thread go on that rests until the children of a task are complete, if they are.
    fn release_parent(&mut self, team: u32, parent: u64) {
        let point = Some(Point::TaskWait(parent));
        let Some(&location) = self.threads.teams[team as usize]
            .members
            .iter()
            .find(|&&location| self.threads.of[location as usize].rest.point == point)
        else {
            return;
        };
        if self.children_complete(parent, location as usize) && location as usize != self.current {
            self.threads.teams[team as usize].tasks.idle.retain(|&idle| idle != location);
            self.ready(location);
        }
    }
}

/// What a thread has left to execute a task.
pub(crate) struct Interrupted {
    rest: Rest,
    task: Running,
    parent: u64,
}
