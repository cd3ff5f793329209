//! Reaching and leaving barriers and taskwaits.

use ats_model::openmp::Construct;

use crate::kernel::call::Frame;
use crate::kernel::error::SimulationError;
use crate::kernel::state::Kernel;
use crate::kernel::time::Picoseconds;
use crate::openmp::barrier::Barrier;
use crate::openmp::rest::{Completion, Point, Step};
use crate::openmp::rules::{Cause, wait_state};
use crate::openmp::state::{DueForThreads, Omp};
use crate::openmp::team::Member;

impl Omp {
    /// The thread that runs reaches a barrier of its team.
    pub(crate) fn reach(
        &mut self,
        kernel: &mut Kernel<'_>,
        frame: &Frame,
        construct: Construct,
        point: Point,
    ) -> Result<(), SimulationError> {
        let Some(&mut Member { team, number, .. }) = self.member(kernel) else { return Ok(()) };
        if kernel.is_over {
            return Ok(());
        }
        let barrier = self.teams[team as usize].barrier_at(point);
        let (first, by) = *barrier.first.get_or_insert((construct, number));
        if first != construct {
            let (name, first) = (construct.region(), first.region());
            return Err(kernel.misuse(format!("{name} here, where thread {by} of the team is at {first}")));
        }
        barrier.arrived += 1;
        barrier.latest = barrier.latest.max(kernel.now());
        if number == 0 && point == Point::End {
            barrier.leaves = frame.pinned_leave();
        }
        self.here(kernel).rest.point = Some(point);
        self.try_complete(kernel, team);
        Ok(())
    }

    /// Lets all members go on if they have reached a barrier and no task is left.
    pub(crate) fn try_complete(&mut self, kernel: &mut Kernel<'_>, number: u32) {
        let team = &mut self.teams[number as usize];
        let size = team.members.len() as u32;
        let point = if team.end.arrived == size { Point::End } else { Point::Barrier };
        let Some(tasks_end) = team.tasks.end() else { return };
        let exchangeable = team.exchangeable;
        let barrier = team.barrier_at(point);
        if barrier.arrived < size {
            return;
        }
        let Barrier { latest, leaves, .. } = std::mem::take(barrier);
        team.exchangeable = false;
        team.tasks.idle.clear();
        let completion = Completion { latest, at: latest.max(tasks_end), leaves, exchangeable };
        for (at, &location) in team.members.iter().enumerate() {
            self.threads[location as usize].rest.completion = Some(completion);
            // The master stays until the others have left: they work on its stack.
            if location != kernel.number() && (point != Point::End || at > 0) {
                kernel.ready(location);
            }
        }
    }

    /// The next step of the thread that rests.
    pub(crate) fn next_step(&mut self, kernel: &mut Kernel<'_>) -> Step {
        let Some(&mut Member { team, number, .. }) = self.member(kernel).filter(|_| !kernel.is_over) else {
            return Step::GoOn;
        };
        let rest = &mut self.threads[kernel.current].rest;
        if let Some(task) = rest.task.take() {
            return Step::Execute(task);
        }
        if rest.completion.is_some() {
            let is_left = self.teams[team as usize].is_left();
            let must_stay = rest.point == Some(Point::End) && number == 0 && !is_left;
            return if must_stay { Step::Wait } else { Step::GoOn };
        }
        if let Some(task) = self.recorded_task(kernel, team) {
            return Step::Execute(task);
        }
        self.idle(kernel, team);
        Step::Wait
    }

    /// The thread that rests has nothing to do for now.
    fn idle(&mut self, kernel: &mut Kernel<'_>, team: u32) {
        self.here(kernel).rest.since = kernel.now();
        let tasks = &mut self.teams[team as usize].tasks;
        tasks.idle.push(kernel.number());
        if !tasks.waiting.is_empty() {
            self.due.push(kernel.now(), 0, DueForThreads::Tasks(team));
        }
    }

    /// Lets the running thread leave a barrier, in which it has executed tasks for the time `executed`.
    pub(crate) fn leave_barrier(
        &mut self,
        kernel: &mut Kernel<'_>,
        frame: &Frame,
        construct: Construct,
        executed: Picoseconds,
    ) {
        let rest = std::mem::take(&mut self.here(kernel).rest);
        let Some(completion) = rest.completion else { return };
        let busy = frame.enter + executed;
        let for_team = completion.latest.saturating_sub(busy);
        let for_tasks = completion.at.saturating_sub(busy) - for_team;
        self.charge(kernel, construct, Cause::TeamNotReached, for_team, completion.exchangeable);
        self.charge(kernel, construct, Cause::TaskNotComplete, for_tasks, true);
        if let Some(leaves) = completion.leaves {
            let barrier = kernel.here().call_path;
            let region = kernel.call_tree.parent(barrier);
            let state = wait_state(Construct::Parallel, Cause::TeamManagement);
            self.charge_at(kernel, region, state, leaves.saturating_sub(completion.at), false);
        }
        let worker = self.member(kernel).is_some_and(|member| member.number > 0);
        let here = kernel.here();
        here.clock = here.clock.max(completion.at);
        if rest.point == Some(Point::End) && worker {
            // A real worker does not know when its region ended.
            here.clock = here.clock.max(completion.leaves.unwrap_or(0));
            kernel.leave_region(frame.region);
        } else {
            kernel.leave(frame);
        }
    }

    /// The thread that runs waits for the children of its task.
    pub(crate) fn reach_taskwait(&mut self, kernel: &Kernel<'_>) {
        let Some(&mut Member { task, .. }) = self.member(kernel) else { return };
        self.here(kernel).rest.point = Some(Point::TaskWait(task.key));
        self.children_complete(task.key, kernel.current);
    }

    /// Lets the running thread leave a taskwait, in which it has executed tasks for the time `executed`.
    pub(crate) fn leave_taskwait(&mut self, kernel: &mut Kernel<'_>, frame: &Frame, executed: Picoseconds) {
        let rest = std::mem::take(&mut self.here(kernel).rest);
        let at = rest.completion.map_or(0, |completion| completion.at);
        let waited = at.saturating_sub(frame.enter + executed);
        self.charge(kernel, Construct::TaskWait, Cause::TaskNotComplete, waited, true);
        let here = kernel.here();
        here.clock = here.clock.max(at);
        kernel.leave(frame);
    }

    /// Lets a location go on that waits for the children of a task, if they are complete. Returns whether it did.
    pub(crate) fn children_complete(&mut self, task: u64, location: usize) -> bool {
        let Some(at) = self.tasks.children_end(task) else { return false };
        let completion = Completion { latest: at, at, leaves: None, exchangeable: true };
        self.threads[location].rest.completion = Some(completion);
        true
    }
}
