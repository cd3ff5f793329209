//! Barriers of a team, and how threads rest there and at a taskwait: they execute tasks, or wait.

use crate::rules::{Blocked, Cause};

use crate::SimulationError;
use crate::account::TEAM;
use crate::call::Frame;
use crate::task::Task;
use crate::team::{Member, Team};
use crate::time::Picoseconds;
use crate::world::{Due, World};

/// A barrier that not all members of the team have reached.
#[derive(Debug, Default)]
pub(crate) struct Barrier {
    arrived: u32,
    latest: Picoseconds,
    /// The construct of the first that came, and its number.
    first: Option<(&'static str, u32)>,
    /// When a real run's workers leave a region: when its master does.
    leaves: Option<Picoseconds>,
}

/// Where a thread rests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Point {
    Barrier,
    /// The barrier at the end of the region.
    End,
    /// Until the children of this task are complete.
    TaskWait(u64),
}

/// How a thread goes on where it rests.
#[derive(Default)]
pub(crate) struct Rest {
    pub(crate) point: Option<Point>,
    /// Since when it has nothing to do.
    pub(crate) since: Picoseconds,
    /// A task that it is to execute.
    pub(crate) task: Option<Task>,
    pub(crate) completion: Option<Completion>,
}

/// What a thread has waited for is complete.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Completion {
    /// When the last member came.
    latest: Picoseconds,
    /// When it, and all tasks, were complete.
    at: Picoseconds,
    leaves: Option<Picoseconds>,
    exchangeable: bool,
}

/// What a resting thread does next.
pub(crate) enum Step {
    GoOn,
    Execute(Task),
    Wait,
}

impl Team {
    fn barrier_at(&mut self, point: Point) -> &mut Barrier {
        if point == Point::End { &mut self.end } else { &mut self.barrier }
    }
}

impl World<'_> {
    /// The thread that runs reaches a barrier of its team.
    pub(crate) fn reach(&mut self, frame: &Frame, point: Point) -> Result<(), SimulationError> {
        let now = self.here().clock;
        let Some(&mut Member { team, number, .. }) = self.member() else { return Ok(()) };
        if self.is_over {
            return Ok(());
        }
        let barrier = self.threads.teams[team as usize].barrier_at(point);
        let (first, by) = *barrier.first.get_or_insert((frame.name, number));
        if first != frame.name {
            let name = frame.name;
            return Err(self.misuse(format!("{name} here, where thread {by} of the team is at {first}")));
        }
        barrier.arrived += 1;
        barrier.latest = barrier.latest.max(now);
        if number == 0 && point == Point::End {
            barrier.leaves = frame.pinned_leave();
        }
        self.thread().rest.point = Some(point);
        self.try_complete(team);
        Ok(())
    }

    /// Lets all members go on if they have reached a barrier and no task is left.
    pub(crate) fn try_complete(&mut self, number: u32) {
        let team = &mut self.threads.teams[number as usize];
        let size = team.members.len() as u32;
        let point = if team.end.arrived == size { Point::End } else { Point::Barrier };
        let tasks_end = team.tasks.end();
        let Some(tasks_end) = tasks_end else { return };
        let exchangeable = team.exchangeable;
        let barrier = team.barrier_at(point);
        if barrier.arrived < size {
            return;
        }
        let Barrier { latest, leaves, .. } = std::mem::take(barrier);
        team.exchangeable = false;
        team.tasks.idle.clear();
        let completion = Completion { latest, at: latest.max(tasks_end), leaves, exchangeable };
        for at in 0..size as usize {
            let location = self.threads.teams[number as usize].members[at];
            self.threads.of[location as usize].rest.completion = Some(completion);
            // The master stays until the others have left: they work on its stack.
            if location as usize != self.current && (point != Point::End || at > 0) {
                self.ready(location);
            }
        }
    }

    /// What the thread that rests does next.
    pub(crate) fn next_step(&mut self) -> Step {
        let is_over = self.is_over;
        let Some(&mut Member { team, number, .. }) = self.member().filter(|_| !is_over) else {
            return Step::GoOn;
        };
        let rest = &mut self.thread().rest;
        if let Some(task) = rest.task.take() {
            return Step::Execute(task);
        }
        if rest.completion.is_some() {
            let must_stay = rest.point == Some(Point::End) && number == 0 && !self.is_alone(team);
            return if must_stay { Step::Wait } else { Step::GoOn };
        }
        self.seek_task(team)
    }

    /// The thread that runs leaves a barrier, in which it has executed tasks for so long.
    pub(crate) fn leave_barrier(&mut self, frame: &Frame, executed: Picoseconds) {
        let rest = std::mem::take(&mut self.thread().rest);
        let Some(completion) = rest.completion else { return };
        let busy = frame.enter + executed;
        let for_team = completion.latest.saturating_sub(busy);
        let for_tasks = completion.at.saturating_sub(busy) - for_team;
        self.blocked(frame, Cause::TeamNotReached, for_team, completion.exchangeable);
        self.blocked(frame, Cause::TaskNotComplete, for_tasks, true);
        if let Some(leaves) = completion.leaves {
            let barrier = self.here().call_path;
            let region = self.call_tree.parent(barrier);
            self.managed(region, leaves.saturating_sub(completion.at));
        }
        let worker = self.member().is_some_and(|member| member.number > 0);
        let here = self.here();
        here.clock = here.clock.max(completion.at);
        if rest.point == Some(Point::End) && worker {
            // A real worker does not know when its region ended.
            here.clock = here.clock.max(completion.leaves.unwrap_or(0));
            self.leave_region(frame.region);
        } else {
            self.leave(frame);
        }
    }

    /// The thread that runs was blocked in a construct.
    pub(crate) fn blocked(&mut self, frame: &Frame, cause: Cause, ticks: Picoseconds, exchangeable: bool) {
        if !self.accounts {
            return;
        }
        let replayed = self.replays();
        let nested = self.threads.of[self.current].path.len() > 1;
        let path = self.here().call_path;
        self.here().account.blocked(frame.name, path, TEAM, Blocked { cause, ticks }, true);
        if ticks > 0 && (nested || exchangeable && !replayed) {
            self.thread().exchangeable.insert(path);
        }
    }

    /// The thread that runs waits for the children of its task.
    pub(crate) fn reach_taskwait(&mut self) {
        let Some(&mut Member { task, .. }) = self.member() else { return };
        self.thread().rest.point = Some(Point::TaskWait(task.key));
        self.children_complete(task.key, self.current);
    }

    /// The thread that runs leaves a taskwait, in which it has executed tasks for so long.
    pub(crate) fn leave_taskwait(&mut self, frame: &Frame, executed: Picoseconds) {
        let rest = std::mem::take(&mut self.thread().rest);
        let at = rest.completion.map_or(0, |completion| completion.at);
        self.blocked(frame, Cause::TaskNotComplete, at.saturating_sub(frame.enter + executed), true);
        let here = self.here();
        here.clock = here.clock.max(at);
        self.leave(frame);
    }

    /// Lets a location go on that waits for the children of a task, if they are complete. Returns whether it did.
    pub(crate) fn children_complete(&mut self, task: u64, location: usize) -> bool {
        let Some(at) = self.threads.tasks.children_end(task) else { return false };
        let completion = Completion { latest: at, at, leaves: None, exchangeable: true };
        self.threads.of[location].rest.completion = Some(completion);
        true
    }

    /// The thread that rests has nothing to do for now.
    pub(crate) fn idle(&mut self, team: u32) {
        let (now, here) = (self.here().clock, self.current as u32);
        self.thread().rest.since = now;
        let tasks = &mut self.threads.teams[team as usize].tasks;
        tasks.idle.push(here);
        if !tasks.is_empty() {
            self.push(now, Due::Tasks(team));
        }
    }
}
