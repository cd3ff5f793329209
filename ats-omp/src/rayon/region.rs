//! State that the members of a team share while they are in a region.

use std::collections::{BTreeMap, VecDeque};

use ats_work::log::Fork;
use parking_lot::{Condvar, Mutex, MutexGuard};

use crate::protocol::NumberedTask;

pub(super) struct Region {
    pub(super) threads: usize,
    pub(super) fork: Fork,
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    /// The number of barriers that the team has passed, followed by the number of threads that wait in the next.
    passed: usize,
    waiting: usize,
    /// Worksharing constructs that not all threads have left, by their numbers in the region.
    shared: BTreeMap<usize, Shared>,
    /// The tasks not yet executed, with the member that created each.
    tasks: VecDeque<(usize, NumberedTask)>,
    /// The number of unfinished tasks of each member.
    unfinished: Vec<usize>,
}

/// State of a worksharing construct that threads share.
#[derive(Default)]
pub(super) struct Shared {
    /// The first iteration not yet taken, or 1 if a thread executes the single.
    pub(super) next: usize,
    /// The iteration whose turn it is.
    turn: usize,
    left: usize,
}

impl Region {
    pub(super) fn new(threads: usize, fork: Fork) -> Self {
        let state = State {
            passed: 0,
            waiting: 0,
            shared: BTreeMap::new(),
            tasks: VecDeque::new(),
            unfinished: vec![0; threads],
        };
        Region { threads, fork, state: Mutex::new(state), changed: Condvar::new() }
    }

    /// Waits for all members, and for all tasks.
    pub(super) fn barrier(&self, member: usize) {
        let mut state = self.state.lock();
        let passed = state.passed;
        state.waiting += 1;
        while state.passed == passed {
            if state.waiting == self.threads && state.unfinished.iter().all(|&tasks| tasks == 0) {
                state.waiting = 0;
                state.passed += 1;
                self.changed.notify_all();
            } else {
                self.execute_or_wait(member, &mut state);
            }
        }
    }

    /// Waits for the tasks that this member has created.
    pub(super) fn wait_for_tasks(&self, member: usize) {
        let mut state = self.state.lock();
        while state.unfinished[member] > 0 {
            self.execute_or_wait(member, &mut state);
        }
    }

    fn execute_or_wait(&self, member: usize, state: &mut MutexGuard<'_, State>) {
        let Some((creator, task)) = state.tasks.pop_front() else { return self.changed.wait(state) };
        MutexGuard::unlocked(state, || task.execute(&self.fork, member));
        state.unfinished[creator] -= 1;
        self.changed.notify_all();
    }

    pub(super) fn defer(&self, member: usize, task: NumberedTask) {
        let mut state = self.state.lock();
        state.tasks.push_back((member, task));
        state.unfinished[member] += 1;
        self.changed.notify_all();
    }

    /// Looks at the shared state of a worksharing construct, and may change it.
    pub(super) fn shared<R>(&self, construct: usize, look: impl FnOnce(&mut Shared) -> R) -> R {
        look(self.state.lock().shared.entry(construct).or_default())
    }

    /// A member leaves a worksharing construct; with the last one it is forgotten.
    pub(super) fn leave(&self, construct: usize) {
        let mut state = self.state.lock();
        let shared = state.shared.entry(construct).or_default();
        shared.left += 1;
        if shared.left == self.threads {
            state.shared.remove(&construct);
        }
    }

    /// Waits until it is the turn of this iteration.
    pub(super) fn begin_turn(&self, construct: usize, iteration: usize) {
        let not_yet = |state: &mut State| state.shared.entry(construct).or_default().turn != iteration;
        self.changed.wait_while(&mut self.state.lock(), not_yet);
    }

    pub(super) fn end_turn(&self, construct: usize, iteration: usize) {
        self.shared(construct, |shared| shared.turn = iteration + 1);
        self.changed.notify_all();
    }
}
