//! Creating, handing out and executing tasks.

use ats_model::event::{Event, TaskId};
use ats_model::openmp::Construct;

use crate::kernel::call::Frame;
use crate::kernel::error::SimulationError;
use crate::kernel::location::Location;
use crate::kernel::state::Kernel;
use crate::kernel::time::Picoseconds;
use crate::openmp::rest::{Point, Rest};
use crate::openmp::state::{DueForThreads, Omp};
use crate::openmp::task::{Running, Task};
use crate::openmp::team::Member;

/// The state that a thread has left to execute a task.
pub(crate) struct Interrupted {
    rest: Rest,
    task: Running,
    parent: u64,
}

/// The number of the task that a location of a real run executes next, if it does that next, and when.
fn next_task(location: &Location) -> Option<(u32, Picoseconds)> {
    location.pins.as_ref()?.next_choice(Construct::Task.region())
}

impl Omp {
    /// The thread that runs creates a task in the construct `frame`. Nothing can happen before any more. Returns the task if
    /// a real run executed it at once.
    pub(crate) fn create_task(
        &mut self,
        kernel: &mut Kernel<'_>,
        frame: &Frame,
        body: Box<dyn FnOnce() + Send>,
    ) -> Option<Task> {
        let member = self.member(kernel)?;
        member.created += 1;
        let Member { team, number: at, task: parent, created: generation, .. } = *member;
        let (rank, parent) = (kernel.rank() as u32, parent.key);
        let id = TaskId { creator: at, generation };
        let (running, count) = self.tasks.explicit(id, rank, parent);
        let number = kernel.choice(frame).unwrap_or(count);
        self.team_event(kernel, |team| Event::ThreadTaskCreate { team, task: id });
        let task = Task { running, number, parent, creator: kernel.number(), body };
        self.teams[team as usize].tasks.created();
        // Inside of the construct, that is.
        let leave = frame.pinned_leave().unwrap_or(0);
        if next_task(kernel.here()).is_some_and(|(next, enter)| next == number && enter < leave) {
            return Some(task);
        }
        self.offer(kernel, team, task);
        None
    }

    /// Takes all tasks that are not yet begun.
    pub(crate) fn take_tasks(&mut self) -> Vec<Task> {
        let given = self.threads.iter_mut().filter_map(|thread| thread.rest.task.take()).collect::<Vec<_>>();
        let queued = self.teams.iter_mut().flat_map(|team| std::mem::take(&mut team.tasks.waiting));
        queued.chain(given).collect()
    }

    /// Calls the threads that rest to a new task; in a replay the one that executed it.
    fn offer(&mut self, kernel: &mut Kernel<'_>, team: u32, task: Task) {
        let now = kernel.now();
        let Omp { teams, threads, due, .. } = self;
        let queue = &mut teams[team as usize].tasks;
        if !kernel.replays() {
            queue.waiting.push(task);
            for &idle in &queue.idle {
                due.push(now.max(threads[idle as usize].rest.since), 0, DueForThreads::Tasks(team));
            }
            return;
        }
        let executes = |&location: &u32| {
            let next = next_task(&kernel.locations[location as usize]);
            next.is_some_and(|(number, _)| number == task.number)
        };
        match queue.idle.iter().position(executes) {
            Some(at) => {
                let location = queue.idle.swap_remove(at);
                threads[location as usize].rest.task = Some(task);
                kernel.ready(location);
            }
            None => queue.waiting.push(task),
        }
    }

    /// The task that the thread that rests executed next in a real run, if it is there.
    pub(crate) fn recorded_task(&mut self, kernel: &mut Kernel<'_>, team: u32) -> Option<Task> {
        let (next, _) = next_task(kernel.here())?;
        let waiting = &mut self.teams[team as usize].tasks.waiting;
        let at = waiting.iter().position(|task| task.number == next)?;
        Some(waiting.remove(at))
    }

    /// Gives tasks to the threads of a team that rest, as of `now`; nothing can happen before `now` any more.
    pub(crate) fn hand_out_tasks(&mut self, kernel: &mut Kernel<'_>, team: u32, now: Picoseconds) {
        let Omp { teams, threads, .. } = self;
        let queue = &mut teams[team as usize].tasks;
        loop {
            let asks = queue.idle.iter().enumerate().filter_map(|(at, &location)| {
                let Rest { since, point, .. } = threads[location as usize].rest;
                let task = queue.choice(location, point?.only_children_of()).filter(|_| since <= now)?;
                Some((since, kernel.locations[location as usize].thread, at, task))
            });
            let Some((.., at, task)) = asks.min() else { return };
            let location = queue.idle.swap_remove(at);
            let task = queue.waiting.remove(task);
            kernel.locations[location as usize].clock = now;
            threads[location as usize].rest.task = Some(task);
            kernel.ready(location);
        }
    }

    /// Lets the running thread begin to execute a task. The result is for [`Omp::end_task`].
    pub(crate) fn begin_task(
        &mut self,
        kernel: &mut Kernel<'_>,
        frame: &Frame,
        task: &Task,
    ) -> Result<Interrupted, SimulationError> {
        if let Some(recorded) = kernel.choice(frame)
            && recorded != task.number
        {
            let reason = format!("it executes task {recorded}, where the program executes {}", task.number);
            return Err(kernel.misfit(kernel.current, reason));
        }
        self.mark_exchangeable(kernel);
        let rest = std::mem::take(&mut self.here(kernel).rest);
        let running = task.running;
        self.team_event(kernel, |team| Event::ThreadTaskSwitch { team, task: running.id });
        kernel.enter_region(frame.region);
        let member = self.member(kernel).expect("a team's task is executed by its members");
        let task_before = std::mem::replace(&mut member.task, running);
        Ok(Interrupted { rest, task: task_before, parent: task.parent })
    }

    /// Ends the running thread's task, and continues what it did before. Returns the time that the task took.
    pub(crate) fn end_task(
        &mut self,
        kernel: &mut Kernel<'_>,
        frame: &Frame,
        before: Interrupted,
    ) -> Picoseconds {
        kernel.leave(frame);
        let now = kernel.now();
        let Interrupted { rest, task: task_before, parent } = before;
        self.here(kernel).rest = rest;
        let member = self.member(kernel).expect("a team's task is executed by its members");
        let task = std::mem::replace(&mut member.task, task_before);
        let team = member.team;
        self.team_event(kernel, |team| Event::ThreadTaskComplete { team, task: task.id });
        self.team_event(kernel, |team| Event::ThreadTaskSwitch { team, task: task_before.id });
        self.teams[team as usize].tasks.complete(now);
        self.tasks.child_complete(parent, now);
        self.release_parent(kernel, team, parent);
        self.try_complete(kernel, team);
        now - frame.enter
    }

    /// Lets a thread go on that rests until the children of a task are complete, if they are.
    fn release_parent(&mut self, kernel: &mut Kernel<'_>, team: u32, parent: u64) {
        let point = Some(Point::TaskWait(parent));
        let mut members = self.teams[team as usize].members.iter();
        let waits = |&&location: &&u32| self.threads[location as usize].rest.point == point;
        let Some(&location) = members.find(waits) else { return };
        if self.children_complete(parent, location as usize) && location != kernel.number() {
            self.teams[team as usize].tasks.idle.retain(|&idle| idle != location);
            kernel.ready(location);
        }
    }
}
