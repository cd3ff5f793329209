//! The coroutines of a simulation, and their turns.

use std::cell::RefCell;
use std::cmp::Reverse;
use std::panic::AssertUnwindSafe;

use corosensei::CoroutineResult;

use crate::deadlock::deadlock;
use crate::kernel::error::{SimulationError, failure};
use crate::kernel::stack::Pool;
use crate::program::rank::Rank;
use crate::program::team;
use crate::world::World;

/// The coroutines of all locations that have something to do.
pub(crate) struct Scheduler {
    /// By location: masters from the start until they are done, other threads while their team is at work.
    coroutines: Vec<Option<Rank>>,
    masters: usize,
    stacks: Pool,
}

impl Scheduler {
    /// Of these masters. Other threads take their stacks from `stacks`.
    pub(crate) fn new(masters: Vec<Option<Rank>>, stacks: Pool) -> Self {
        Scheduler { masters: masters.len(), coroutines: masters, stacks }
    }

    /// Runs coroutines until all are done.
    pub(crate) fn drive(&mut self, world: &RefCell<World<'_>>) -> Result<(), SimulationError> {
        let mut left = self.masters;
        while left > 0 {
            let next = {
                let mut world = world.borrow_mut();
                let next = world.next();
                if world.kernel.failure.is_some() {
                    break;
                }
                let Some(next) = next else { return Err(deadlock(&world)) };
                world.kernel.switch_to(next);
                next as usize
            };
            let coroutine = match self.coroutines.get_mut(next) {
                Some(Some(coroutine)) => coroutine,
                _ => self.employ(next, &mut world.borrow_mut())?,
            };
            match std::panic::catch_unwind(AssertUnwindSafe(|| coroutine.resume(()))) {
                Ok(CoroutineResult::Yield(())) => {}
                Ok(CoroutineResult::Return(())) => {
                    let done = self.coroutines[next].take();
                    if next < self.masters {
                        left -= 1;
                    } else if let Some(done) = done {
                        self.stacks.give_back(done.into_stack());
                    }
                }
                Err(payload) => return Err(failure(world.borrow().kernel.place(next), payload)),
            }
        }
        match world.borrow_mut().kernel.failure.take() {
            Some(failure) => Err(failure),
            None => Ok(()),
        }
    }

    /// Makes the coroutine of a thread whose team begins to work.
    fn employ(&mut self, location: usize, world: &mut World<'_>) -> Result<&mut Rank, SimulationError> {
        let ranks = self.masters;
        let stack = self.stacks.take().map_err(|source| SimulationError::Stacks { ranks, source })?;
        if self.coroutines.len() <= location {
            self.coroutines.resize_with(location + 1, || None);
        }
        let body = world.omp.threads[location].body.take();
        let body = body.expect("who is called without a coroutine begins in a team");
        Ok(self.coroutines[location].insert(team::spawn(body, stack)))
    }

    /// Unwinds all locations that are not done. Members of a team work on the stack of its master, so those of inner
    /// teams go first, and unexecuted tasks before all. Destructors run there as those of the location that they
    /// belong to.
    pub(crate) fn dismiss(mut self, world: &RefCell<World<'_>>) {
        let (tasks, locations) = {
            let mut world = world.borrow_mut();
            world.kernel.is_over = true;
            let depth =
                |location: usize| world.omp.threads.get(location).map_or(0, |thread| thread.path.len());
            let mut locations: Vec<(Reverse<usize>, usize)> =
                (0..self.coroutines.len()).map(|location| (Reverse(depth(location)), location)).collect();
            locations.sort_unstable();
            (world.omp.take_tasks(), locations)
        };
        for task in tasks {
            world.borrow_mut().kernel.switch_to(task.creator);
            caught(|| drop(task));
        }
        for (_, location) in locations {
            world.borrow_mut().kernel.switch_to(location as u32);
            if let Some(mut coroutine) = self.coroutines[location].take() {
                // Else its drop would, and must not panic.
                caught(|| coroutine.force_unwind());
            }
        }
    }
}

/// Unwinds something that may go on to panic, as a body does that has caught the end of the simulation.
fn caught(unwind: impl FnOnce()) {
    let _ = std::panic::catch_unwind(AssertUnwindSafe(unwind));
}
