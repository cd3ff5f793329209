//! The program that repeats a trace: every location does, in the engine, what its events say.

mod calls;
mod order;
mod threads;

use std::sync::Mutex;
use std::sync::atomic::AtomicU32;

use ats_model::event::{RegionRef, TeamRef};
use ats_model::{Event, EventSource};
use ats_omp::{Team, Thread};
use ats_virtual::{VirtualTeam, VirtualThread};
use rustc_hash::FxHashMap;

use crate::call::OwnAttributes;
use crate::changes::Position;
use crate::evidence::Evidence;
use crate::state::State;
use crate::survey::Survey;
use crate::tables::{RegionKind, Tables};

/// The most teams inside each other that are run as such: each takes a part of its master's stack.
const DEEPEST: usize = 16;

/// Takes events of a location, in order, with their times in picoseconds.
pub(crate) type Batches<'a> = dyn FnMut(usize, Vec<(u64, Event)>) + Send + 'a;

/// The program.
pub(crate) struct Interpreter<'a, S> {
    tables: &'a Tables<'a>,
    survey: &'a Survey,
    own: OwnAttributes,
    /// The evidence of standard sends for an eager limit, if that is asked.
    evidence: Option<&'a Mutex<Evidence>>,
    /// The picoseconds that all processes take to meet on the network of the replay.
    meeting: u64,
    /// By location; taken out while the location runs.
    states: Vec<Mutex<Option<Box<State<'a, S>>>>>,
    /// By rank: the number of teams started.
    teams: Vec<AtomicU32>,
    /// By process and team: the number of turns taken in ordered constructs.
    turns: Mutex<FxHashMap<(u32, u32), u32>>,
    batches: Mutex<&'a mut Batches<'a>>,
}

/// What a location does next that cannot be done in its own state alone.
enum Next {
    /// It starts a team.
    Fork(TeamRef),
    /// Its work for the innermost team is done, or all its events are.
    End,
}

impl<'a, S: EventSource> Interpreter<'a, S> {
    pub(crate) fn new(
        tables: &'a Tables<'a>,
        survey: &'a Survey,
        states: Vec<State<'a, S>>,
        (evidence, meeting): (Option<&'a Mutex<Evidence>>, u64),
        batches: &'a mut Batches<'a>,
    ) -> Self {
        Interpreter {
            tables,
            survey,
            own: OwnAttributes::new(tables.definitions),
            evidence,
            meeting,
            states: states.into_iter().map(|state| Mutex::new(Some(Box::new(state)))).collect(),
            teams: (0..tables.ranks).map(|_| AtomicU32::new(0)).collect(),
            turns: Mutex::default(),
            batches: Mutex::new(batches),
        }
    }

    /// The states at the end, with all events handed over.
    pub(crate) fn into_states(self) -> Vec<State<'a, S>> {
        let batches = self.batches.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
        let states = self.states.into_iter();
        let states =
            states.filter_map(|state| state.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner()));
        let handed_over = states.map(|mut state| {
            if let Some(batch) = state.take_batch(true) {
                batches(state.location, batch);
            }
            *state
        });
        handed_over.collect()
    }

    /// Runs the master of a process.
    pub(crate) fn run_process(&self, rank: usize, team: &VirtualTeam) {
        if let Some(&Some(master)) = self.tables.masters.get(rank) {
            self.run(master, team, None);
        }
    }

    fn take(&self, location: usize) -> Option<Box<State<'a, S>>> {
        self.states.get(location)?.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).take()
    }

    fn put_back(&self, state: Box<State<'a, S>>) {
        let location = state.location;
        *self.states[location].lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = Some(state);
    }

    /// Runs a location until its work for the innermost team, whose member it is as `thread`, is done.
    fn run(&self, location: usize, team: &VirtualTeam, thread: Option<&VirtualThread>) {
        loop {
            let Some(mut state) = self.take(location) else { return };
            let next = self.steps(&mut state, thread);
            let (rank, positions) = (state.rank, state.pace.positions());
            self.put_back(state);
            match next {
                Next::End => return,
                Next::Fork(reference) => self.parallel(rank, reference, &positions, team),
            }
            if let Some(mut state) = self.take(location) {
                state.synchronize();
                state.is_joining = true;
                self.put_back(state);
            }
        }
    }

    /// Starts a team of a trace; all its members do what their events say.
    fn parallel(&self, rank: u32, reference: TeamRef, positions: &[Position], team: &VirtualTeam) {
        let members = self.tables.members(reference);
        let number = self.teams[rank as usize].fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        team.parallel(members.len().max(1), |thread| {
            let Some(&location) = members.get(thread.number()) else { return };
            let location = location as usize;
            let is_master = thread.number() == 0;
            let Some(mut state) = self.take(location) else { return };
            let begins = matches!(state.reader.peek(), Some((_, Event::ThreadTeamBegin { team })) if team == reference);
            if begins {
                state.join_team(number, (!is_master).then_some(positions));
            }
            self.put_back(state);
            if begins {
                self.run(location, team, Some(thread));
            }
            if let Some(mut state) = self.take(location) {
                if begins {
                    state.teams.pop();
                    state.end_of_team(is_master);
                }
                self.put_back(state);
            }
        });
    }

    /// Does what the events say up to one that takes more than the location's own state.
    fn steps(&self, state: &mut State<'a, S>, thread: Option<&VirtualThread>) -> Next {
        loop {
            let Some((time, event)) = state.reader.next() else {
                self.catch_up(state);
                state.flush();
                return Next::End;
            };
            if std::mem::take(&mut state.is_joining) {
                state.settle(time, 0);
            }
            if state.is_starting {
                // Attributes come before the event that they belong to.
                state.is_starting = matches!(event, Event::Attribute { .. });
                if !state.is_starting {
                    state.settle(time, 0);
                }
            }
            if state.deferred.is_some() && !self.is_of_code(state, event) {
                state.work_until(time);
                self.catch_up(state);
            }
            match event {
                Event::Enter { region } => match self.tables.kind(region) {
                    RegionKind::Mpi(_) if state.pace.is_reordered(region, time) => {
                        self.receive_first(state, region, time);
                    }
                    RegionKind::Mpi(function) => self.call(state, function, region, time),
                    kind => self.enter(state, region, kind, time),
                },
                Event::Leave { region } => self.leave(state, region, time, thread),
                Event::ThreadFork { .. } => {
                    state.work_until(time);
                    state.emit(event);
                    if state.teams.len() < DEEPEST
                        && let Some((_, Event::ThreadTeamBegin { team })) = state.reader.peek()
                    {
                        state.flush();
                        return Next::Fork(team);
                    }
                }
                Event::ThreadTeamEnd { .. } if thread.is_some() => {
                    state.work_until(time);
                    state.emit(event);
                    self.hand_over(state);
                    return Next::End;
                }
                Event::ThreadAcquireLock { lock, order } => self.acquire(state, (lock, order), time, event),
                Event::ThreadReleaseLock { lock, order } => self.release(state, (lock, order), time, event),
                Event::ThreadTaskCreate { task, .. } => self.create_task(state, task, time, event),
                Event::ThreadTaskSwitch { task, .. } => self.switch_task(state, task, time, event),
                Event::ThreadTaskComplete { task, .. } => self.complete_task(state, task, time, event),
                Event::Attribute { .. } => state.keep_attribute(event),
                event => {
                    state.work_until(time);
                    state.emit(event);
                }
            }
            self.hand_over(state);
        }
    }

    /// Whether an event is one of code, or begins a call of MPI, and nothing that others may wait for.
    fn is_of_code(&self, state: &State<'a, S>, event: Event) -> bool {
        let entered = match event {
            Event::Enter { region } => Some(region),
            Event::Leave { .. } => state.stack.last().copied(),
            event => return matches!(event, Event::Attribute { .. } | Event::Metric { .. }),
        };
        let kind = entered.map_or(RegionKind::Plain, |region| self.tables.kind(region));
        matches!(kind, RegionKind::Plain | RegionKind::Mpi(_))
    }

    /// Hands over the events of a location, if there are enough.
    fn hand_over(&self, state: &mut State<'a, S>) {
        if let Some(batch) = state.take_batch(false) {
            (self.batches.lock().unwrap_or_else(|poisoned| poisoned.into_inner()))(state.location, batch);
        }
    }

    fn enter(&self, state: &mut State<'a, S>, region: RegionRef, kind: RegionKind, time: u64) {
        state.work_until(time);
        state.enter(region, kind);
        state.is_released = false;
        state.stack.push(region);
        match kind {
            RegionKind::Barrier | RegionKind::TaskWait => state.resting += 1,
            RegionKind::OrderedBlock => self.await_turn(state, time),
            RegionKind::Plain | RegionKind::Mpi(_) | RegionKind::Alignment => {}
        }
        state.emit(Event::Enter { region });
    }

    fn leave(&self, state: &mut State<'a, S>, region: RegionRef, time: u64, thread: Option<&VirtualThread>) {
        let entered = state.stack.pop().unwrap_or(region);
        match self.tables.kind(entered) {
            RegionKind::Barrier => {
                state.resting = state.resting.saturating_sub(1);
                state.flush();
                if let Some(thread) = thread {
                    thread.barrier();
                }
                state.settle(time, 0);
                state.is_released = true;
            }
            RegionKind::TaskWait => {
                state.resting = state.resting.saturating_sub(1);
                self.await_children(state);
                state.settle(time, 0);
            }
            RegionKind::Alignment
                if self.survey.is_aligned && thread.is_none() && !state.pace.is_removed() =>
            {
                state.flush();
                ats_virtual::align();
                state.settle(time, 0);
            }
            kind => {
                state.work_until(time);
                if kind == RegionKind::OrderedBlock {
                    self.end_turn(state);
                }
            }
        }
        if state.pace.is_removed() {
            state.emit(Event::Leave { region });
            state.leave(entered);
        } else {
            state.leave(entered);
            state.emit(Event::Leave { region });
        }
    }
}
