//! Order within a process: locks, tasks and turns, each by the signal that the one before gives.

use ats_model::event::TaskId;
use ats_model::{Event, EventSource};
use ats_virtual::recorded::{self, SignalKey};

use super::Interpreter;
use crate::state::State;
use crate::tape::Pass;

/// The kinds of signals.
#[derive(Clone, Copy)]
enum Signal {
    /// A lock is given back.
    Released,
    /// A task is created.
    Created,
    /// A task is complete.
    Complete,
    /// A turn in an ordered construct is over.
    Turned,
}

/// The key of a signal of a process: 8 bits for the kind, 24 for the rank, and what it is about.
fn key(signal: Signal, rank: u32, of: u32, number: u64) -> SignalKey {
    u128::from(signal as u8) << 120 | u128::from(rank) << 96 | u128::from(of) << 64 | u128::from(number)
}

/// The number of a task within its team.
fn number(task: TaskId) -> u64 {
    u64::from(task.creator) << 32 | u64::from(task.generation)
}

impl<'a, S: EventSource> Interpreter<'a, S> {
    /// The location gets a lock, when the one before has given it back: in the trace, or in the replay if locks are free.
    pub(super) fn acquire(
        &self,
        state: &mut State<'a, S>,
        (lock, order): (u32, u32),
        time: u64,
        event: Event,
    ) {
        state.flush();
        if state.pace.has_free_locks() && !state.pace.is_removed() {
            let order = recorded::acquire_lock(lock);
            state.settle(time, 0);
            return state.emit(Event::ThreadAcquireLock { lock, order });
        }
        let is_nested = state.held.contains(&lock);
        state.held.push(lock);
        if !is_nested
            && !state.pace.is_removed()
            && self.survey.has_acquisition_before(state.rank, lock, order)
        {
            let before = key(Signal::Released, state.rank, lock, u64::from(order) - 1);
            recorded::await_signal(before);
            recorded::forget_signal(before);
        }
        state.settle(time, 0);
        state.emit(event);
    }

    /// The location gives a lock back.
    pub(super) fn release(
        &self,
        state: &mut State<'a, S>,
        (lock, order): (u32, u32),
        time: u64,
        event: Event,
    ) {
        state.work_until(time);
        state.flush();
        if state.pace.has_free_locks() && !state.pace.is_removed() {
            let order = recorded::release_lock(lock);
            return state.emit(Event::ThreadReleaseLock { lock, order });
        }
        if let Some(at) = state.held.iter().rposition(|&held| held == lock) {
            state.held.swap_remove(at);
        }
        recorded::give_signal(key(Signal::Released, state.rank, lock, u64::from(order)));
        state.emit(event);
    }

    /// The location's turn in an ordered construct comes when the one before is over. Turns follow each other as in the
    /// trace.
    pub(super) fn await_turn(&self, state: &mut State<'a, S>, time: u64) {
        let team = state.team();
        state.flush();
        let turn = match state.pass {
            Pass::Measure => {
                recorded::await_order_at(time);
                let mut turns = self.turns.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
                let turn = turns.entry((state.rank, team)).or_default();
                *turn += 1;
                state.tape.write(i64::from(*turn));
                *turn
            }
            Pass::Replay => state.tape.read() as u32,
        };
        if turn > 1 && !state.pace.is_removed() {
            let before = key(Signal::Turned, state.rank, team, u64::from(turn) - 1);
            recorded::await_signal(before);
            recorded::forget_signal(before);
        }
        state.turns.push(turn);
        state.settle(time, 0);
    }

    pub(super) fn end_turn(&self, state: &mut State<'a, S>) {
        state.flush();
        if let Some(turn) = state.turns.pop() {
            recorded::give_signal(key(Signal::Turned, state.rank, state.team(), u64::from(turn)));
        }
    }

    pub(super) fn create_task(&self, state: &mut State<'a, S>, task: TaskId, time: u64, event: Event) {
        state.work_until(time);
        state.flush();
        let team = state.team();
        let parent = state.task;
        state.children.entry(parent).or_default().push((team, task));
        recorded::give_signal(key(Signal::Created, state.rank, team, number(task)));
        state.emit(event);
    }

    /// The location goes on with a task, which has to be created. A location that rests does nothing else meanwhile.
    pub(super) fn switch_task(&self, state: &mut State<'a, S>, task: TaskId, time: u64, event: Event) {
        let (team, is_explicit) = (state.team(), task.generation > 0);
        let next = is_explicit.then_some((team, task));
        let is_new = next.is_some() && !state.begun.contains(&(team, task));
        if state.resting > 0 && state.task.is_none() || is_new {
            state.flush();
            if is_new && !state.pace.is_removed() && self.survey.has_creation(state.rank, task) {
                recorded::await_signal(key(Signal::Created, state.rank, team, number(task)));
            }
            state.settle(time, 0);
        } else {
            state.work_until(time);
        }
        state.begun.extend(next);
        state.task = next;
        state.emit(event);
    }

    pub(super) fn complete_task(&self, state: &mut State<'a, S>, task: TaskId, time: u64, event: Event) {
        state.work_until(time);
        state.flush();
        recorded::give_signal(key(Signal::Complete, state.rank, state.team(), number(task)));
        state.begun.remove(&(state.team(), task));
        state.task = None;
        state.emit(event);
    }

    /// Waits for the tasks that the current task has created here.
    pub(super) fn await_children(&self, state: &mut State<'a, S>) {
        state.flush();
        for (team, task) in state.children.remove(&state.task).unwrap_or_default() {
            if !state.pace.is_removed() && self.survey.has_completion(state.rank, task) {
                recorded::await_signal(key(Signal::Complete, state.rank, team, number(task)));
            }
        }
    }
}
