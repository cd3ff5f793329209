//! Explicit tasks.

use ats_model::Event;
use ats_model::event::TaskId;
use ats_model::openmp::Construct;

use super::{Running, Task, Thread};
use crate::openmp::open::{Buffer, Open};

impl Thread {
    /// Creates a task, and says what it is.
    pub(crate) fn creates_task(&mut self, buffer: &mut Buffer, ticks: u64, address: usize) -> Box<Task> {
        self.tasks_created += 1;
        let (team, creator) = self.place_in_team();
        let task = Task {
            team,
            id: TaskId { creator, generation: self.tasks_created },
            region: self.region(Construct::Task, address),
        };
        let event = team.map(|team| Event::ThreadTaskCreate { team, task: task.id });
        self.instant(buffer, ticks, Construct::CreateTask, address, event);
        Box::new(task)
    }

    /// The thread goes on with another task: leaves the one it was in, if that is `complete` for good.
    pub(crate) fn switches(
        &mut self,
        buffer: &mut Buffer,
        ticks: u64,
        prior: Option<&Task>,
        complete: bool,
        next: Next<'_>,
    ) {
        self.settle(buffer);
        if let Some(prior) = prior
            && complete
        {
            if self.is_running(prior) {
                self.suspends_to(buffer, ticks, |running| std::ptr::eq(running.task, prior));
                self.suspends_to(buffer, ticks, |running| !std::ptr::eq(running.task, prior));
            }
            if let Some(team) = prior.team {
                buffer.push(ticks, Event::ThreadTaskComplete { team, task: prior.id });
            }
        }
        match next {
            Next::Nothing => {}
            Next::Implicit => {
                let depth = self.teams.last().map_or(0, |membership| membership.depth + 1);
                self.suspends_to(buffer, ticks, |running| running.depth < depth);
                let (team, creator) = self.place_in_team();
                if let Some(team) = team {
                    let task = TaskId { creator, generation: 0 };
                    buffer.push(ticks, Event::ThreadTaskSwitch { team, task });
                }
            }
            Next::Explicit(task) => {
                let is_running = self.is_running(task);
                if is_running {
                    self.suspends_to(buffer, ticks, |running| std::ptr::eq(running.task, task));
                }
                if let Some(team) = task.team {
                    buffer.push(ticks, Event::ThreadTaskSwitch { team, task: task.id });
                }
                if !is_running {
                    let depth = buffer.depth();
                    self.tasks.push(Running { task, depth });
                    buffer.begin(ticks, Open::Construct(Construct::Task, task.region));
                }
            }
        }
    }

    fn is_running(&self, task: &Task) -> bool {
        self.tasks.iter().any(|running| std::ptr::eq(running.task, task))
    }

    /// Leaves the tasks within the innermost one that `stays`; they may go on later, here or elsewhere.
    fn suspends_to(&mut self, buffer: &mut Buffer, ticks: u64, stays: impl Fn(&Running) -> bool) {
        while let Some(running) = self.tasks.pop_if(|running| !stays(running)) {
            buffer.end_to(ticks, running.depth);
        }
    }
}

/// The task that a thread goes on with.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Next<'a> {
    /// It is not said.
    Nothing,
    Implicit,
    Explicit(&'a Task),
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::openmp::team::Team;
    use crate::openmp::thread::listing::{Recorded, lines, listing};
    use std::sync::Arc;

    #[test]
    fn a_task_that_is_suspended_is_left_and_entered_again_where_it_goes_on() {
        let team = Arc::new(Team::new(0x100, false, None));
        let mut both = [0, 1].map(Recorded::new);
        for (index, one) in (0..).zip(&mut both) {
            one.thread.begins_in(&mut one.buffer, 0, team.clone(), index, 2);
        }
        let [first, second] = &mut both;
        let task = first.thread.creates_task(&mut first.buffer, 1, 0x200);
        first.thread.switches(&mut first.buffer, 2, None, false, Next::Explicit(&task));
        let inner = first.thread.creates_task(&mut first.buffer, 3, 0x300);
        first.thread.construct_begins(&mut first.buffer, 4, Construct::TaskWait, None, 0x400);
        first.thread.switches(&mut first.buffer, 5, Some(&task), false, Next::Explicit(&inner));
        first.thread.switches(&mut first.buffer, 6, Some(&inner), true, Next::Explicit(&task));
        first.thread.switches(&mut first.buffer, 7, Some(&task), false, Next::Implicit);
        second.thread.switches(&mut second.buffer, 8, None, false, Next::Explicit(&task));
        // Its waiting began on the other thread.
        second.thread.construct_ends(&mut second.buffer, 9, Construct::TaskWait);
        second.thread.switches(&mut second.buffer, 10, Some(&task), true, Next::Implicit);
        team.ends(11);
        let [first, second] = both.map(listing);
        let tasks = |lines: Vec<String>| {
            lines.into_iter().filter(|line| !line.contains("parallel")).collect::<Vec<_>>()
        };
        let of_first = "  create task 1
  /create task 1
switch 1
  task 2
    create task 3
    /create task 3
    taskwait 4
switch 2
      task 5
      /task 6
complete 2
switch 1
    /taskwait 7
  /task 7
switch 0";
        assert_eq!(tasks(first), lines(of_first));
        let of_second = "\
switch 1
  task 8
  /task 10
complete 1
switch 0";
        assert_eq!(tasks(second), lines(of_second));
    }
}
