//! The state of a location in a replay: where it is in its trace, and what it has yet to do.

use ats_model::event::{RegionRef, TaskId, Time};
use ats_model::mpi::{Form, Function, Kind, SendMode};
use ats_model::{Event, EventSource};
use ats_mpi::Request;
use ats_virtual::recorded;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::call::Call;
use crate::changes::{Pace, Position};
use crate::reader::Reader;
use crate::survey::Counted;
use crate::tables::RegionKind;
use crate::tape::{Pass, Tape};

/// The number of events that are handed over at once.
const BATCH: usize = 4096;

/// A location of a trace that is replayed.
pub(crate) struct State<'s, S> {
    pub(crate) location: usize,
    pub(crate) rank: u32,
    pub(crate) reader: Reader<'s, S>,
    pub(crate) tape: Tape,
    pub(crate) pass: Pass,
    pub(crate) pace: Pace<'s>,
    /// The end of what is replayed, in the trace's time.
    pub(crate) recorded: u64,
    /// Whether it has come to its first event.
    has_begun: bool,
    /// The engine's clock, without the time that is pending.
    clock: u64,
    /// Time that has passed and that the engine has not been told of.
    pending: u64,
    /// Its delay behind the trace, though it does the same: what follows is shorter by that.
    pub(crate) debt: u64,
    /// The regions that it is in, from the outermost.
    pub(crate) stack: Vec<RegionRef>,
    /// Requests that are started.
    pub(crate) requests: FxHashMap<u64, Request>,
    /// The teams that it works in, from the outermost: the number of each in its process.
    pub(crate) teams: Vec<u32>,
    /// The explicit task that it executes.
    pub(crate) task: Option<TaskKey>,
    /// The explicit tasks that it has begun and not completed.
    pub(crate) begun: FxHashSet<TaskKey>,
    /// By task, `None` for an implicit one: those that it has created since it last waited for them.
    pub(crate) children: FxHashMap<Option<TaskKey>, Vec<TaskKey>>,
    /// The locks that it has.
    pub(crate) held: Vec<u32>,
    /// The number of its turn in the ordered constructs that it is in.
    pub(crate) turns: Vec<u32>,
    /// The number of barriers and waits for tasks that it is in.
    pub(crate) resting: u32,
    /// Whether nothing but a barrier was left when the last one was passed: what follows delays no other location.
    pub(crate) is_released: bool,
    /// Whether its team has just been joined.
    pub(crate) is_joining: bool,
    /// Whether it has just begun to work in a team as a worker.
    pub(crate) is_starting: bool,
    /// Messages and collective operations with ends that the trace lacks: how many of each it has seen.
    pub(crate) counted: Counted,
    /// The mode of the persistent sends that it has prepared last: no record tells that of each.
    pub(crate) prepared: SendMode,
    /// By request: when it was first tested in vain.
    tested: FxHashMap<u64, u64>,
    /// The time of calls of the network beside waiting, as measured.
    pub(crate) beside: u64,
    /// The excess of waits over those in the trace, as measured.
    pub(crate) late: u64,
    /// The time in calls that may wait for others while no record names these, in picoseconds.
    pub(crate) unknown: u64,
    /// The receive that it has put off until its next call.
    pub(crate) deferred: Option<Deferred>,
    /// Attributes of the event that comes next.
    attributes: Vec<Event>,
    /// The times of the first event and of the last that it has handed over.
    pub(crate) span: Option<(u64, u64)>,
    /// The time of the last of them.
    emitted: u64,
    batch: Vec<(u64, Event)>,
}

/// A receive that is completed later than in the trace.
#[derive(Debug)]
pub(crate) struct Deferred {
    pub(crate) region: RegionRef,
    pub(crate) call: Call,
    /// The attributes of its entry.
    pub(crate) attributes: Vec<Event>,
}

/// A task: the number of its team in its process, and its own.
pub(crate) type TaskKey = (u32, TaskId);

impl<'s, S: EventSource> State<'s, S> {
    pub(crate) fn new(
        (location, rank): (usize, u32),
        reader: Reader<'s, S>,
        (pass, tape): (Pass, Tape),
        pace: Pace<'s>,
    ) -> Self {
        State {
            location,
            rank,
            reader,
            tape,
            pass,
            pace,
            recorded: 0,
            has_begun: false,
            clock: 0,
            pending: 0,
            debt: 0,
            stack: Vec::new(),
            requests: FxHashMap::default(),
            teams: Vec::new(),
            task: None,
            begun: FxHashSet::default(),
            children: FxHashMap::default(),
            held: Vec::new(),
            turns: Vec::new(),
            resting: 0,
            is_released: false,
            is_joining: false,
            is_starting: false,
            counted: Counted::default(),
            prepared: SendMode::Standard,
            tested: FxHashMap::default(),
            beside: 0,
            late: 0,
            unknown: 0,
            deferred: None,
            attributes: Vec::new(),
            span: None,
            emitted: 0,
            batch: Vec::new(),
        }
    }

    /// The time that it has come to, in the replay. A delay of less than the trace can tell is none.
    pub(crate) fn now(&self) -> u64 {
        let untold = if self.debt <= self.reader.tick() { self.debt } else { 0 };
        self.clock.saturating_add(self.pending).saturating_sub(untold)
    }

    /// The engine's clock is what counts from now on.
    pub(crate) fn synchronize(&mut self) {
        self.clock = recorded::clock();
    }

    /// Time in the trace up to `until` that is not accounted for.
    fn gap(&mut self, until: u64) -> u64 {
        let gap = until.saturating_sub(self.recorded);
        self.recorded = self.recorded.max(until);
        let repaid = gap.min(self.debt);
        self.debt -= repaid;
        gap - repaid
    }

    /// Work up to `until` in the trace, at the pace that the changes say.
    pub(crate) fn work_until(&mut self, until: u64) {
        let gap = self.gap(until);
        if !std::mem::replace(&mut self.has_begun, true) {
            // Before its first event it is not there.
            self.pending = self.pending.saturating_add(gap);
        } else if gap > 0 {
            self.pending = self.pending.saturating_add(self.pace.changed(gap, self.recorded));
            if self.pace.shares_processors() {
                self.flush();
            }
        }
    }

    /// Time up to `until` in the trace that no change concerns.
    pub(crate) fn pass_until(&mut self, until: u64) {
        self.pending = self.pending.saturating_add(self.gap(until));
    }

    /// The time up to `until` in the trace does not pass.
    pub(crate) fn skip_until(&mut self, until: u64) {
        self.recorded = self.recorded.max(until);
    }

    /// Tells the engine of the time that has passed.
    pub(crate) fn flush(&mut self) {
        if self.pending > 0 {
            recorded::work(std::mem::take(&mut self.pending));
        }
        self.synchronize();
    }

    /// The same at the end of its work for a team. What a worker takes behind its last barrier delays no other.
    pub(crate) fn end_of_team(&mut self, is_master: bool) {
        if self.is_released && !is_master {
            self.pending = 0;
        }
        self.flush();
    }

    /// It begins to work in a team of its process; as a worker, inside of what the master is in.
    pub(crate) fn join_team(&mut self, number: u32, positions: Option<&[Position]>) {
        self.teams.push(number);
        if let Some(positions) = positions {
            self.pace.inherit(positions);
            self.pending = 0;
            self.synchronize();
            self.is_starting = true;
        }
    }

    /// The number of the innermost team that it works in.
    pub(crate) fn team(&self) -> u32 {
        self.teams.last().copied().unwrap_or(u32::MAX)
    }

    /// It enters a region; before, changes may give it more work.
    pub(crate) fn enter(&mut self, region: RegionRef, kind: RegionKind) {
        self.pending += self.pace.enter(region, kind);
    }

    /// It leaves a region, where changes may give it more work.
    pub(crate) fn leave(&mut self, left: RegionRef) {
        self.pending = self.pending.saturating_add(self.pace.leave(left));
        if self.pace.is_call(left) {
            self.pass(Some(left));
        }
    }

    /// It goes on from a call, or from its begin, to the next call.
    pub(crate) fn pass(&mut self, from: Option<RegionRef>) {
        if self.pace.is_between_calls() {
            let next = self.reader.next_entered(|region| self.pace.is_call(region));
            self.pace.pass(from, next);
        }
    }

    /// Reads the records of a call up to its end.
    pub(crate) fn read_call(&mut self, function: Function, enter: u64) -> Call {
        let mut call = Call { function, enter, leave: enter, records: Vec::new(), left: None };
        let mut depth = 0;
        while let Some((time, event)) = self.reader.next() {
            call.leave = call.leave.max(time);
            match event {
                Event::Leave { .. } if depth == 0 => {
                    call.left = Some(event);
                    break;
                }
                Event::Enter { .. } => depth += 1,
                Event::Leave { .. } => depth -= 1,
                _ => {}
            }
            call.records.push((time, event));
        }
        call
    }

    /// Notes the mode of a send that a call prepares.
    pub(crate) fn prepare(&mut self, function: Function) {
        if let (Kind::Send(mode), Form::Persistent) = (function.kind(), function.form()) {
            self.prepared = mode;
        }
    }

    /// Notes how long requests are tested in vain: that is repeated as it was, though it may be a wait.
    pub(crate) fn note_tests(&mut self, call: &Call) {
        for &(time, event) in &call.records {
            match event {
                Event::MpiRequestTest { request } => {
                    self.tested.entry(request).or_insert(time);
                }
                Event::MpiIrecv { request, .. }
                | Event::MpiIsendComplete { request }
                | Event::NonBlockingCollectiveComplete { request, .. } => {
                    let since = self.tested.remove(&request);
                    let tested = since.map_or(0, |since| call.enter.saturating_sub(since));
                    self.unknown = self.unknown.saturating_add(tested);
                }
                _ => {}
            }
        }
    }

    /// Hands over the records of a call that was entered at `entered`. What begins something keeps its distance from the
    /// entry, what ends something that from the exit.
    pub(crate) fn emit_call(&mut self, call: &Call, entered: u64) {
        let left = self.now();
        for &(time, event) in &call.records {
            let ends = matches!(
                event,
                Event::MpiRecv { .. }
                    | Event::MpiIrecv { .. }
                    | Event::MpiIsendComplete { .. }
                    | Event::MpiCollectiveEnd { .. }
                    | Event::NonBlockingCollectiveComplete { .. }
            );
            let time = if ends {
                left.saturating_sub(call.leave.saturating_sub(time)).max(entered)
            } else {
                entered.saturating_add(time.saturating_sub(call.enter)).min(left)
            };
            match event {
                Event::Attribute { .. } => self.keep_attribute(event),
                event => self.emit_at(time, event),
            }
        }
        if let Some(event) = call.left {
            self.emit_at(left, event);
        }
    }

    /// Puts a receive off until the next call; in the trace it is over.
    pub(crate) fn defer(&mut self, region: RegionRef, call: Call) {
        self.skip_until(call.leave);
        let attributes = std::mem::take(&mut self.attributes);
        self.deferred = Some(Deferred { region, call, attributes });
    }

    /// Puts attributes in the place of those of the event that comes next, and returns these.
    pub(crate) fn exchange_attributes(&mut self, attributes: Vec<Event>) -> Vec<Event> {
        std::mem::replace(&mut self.attributes, attributes)
    }

    /// Keeps an attribute for the event that comes next.
    pub(crate) fn keep_attribute(&mut self, attribute: Event) {
        self.attributes.push(attribute);
    }

    /// The engine has let it go on, in the trace at `until`. What it took beside waiting is measured, or taken again; if a
    /// model of the network is in its place, without the picoseconds that are `of_network`.
    pub(crate) fn settle(&mut self, until: u64, of_network: u64) {
        self.synchronize();
        self.recorded = self.recorded.max(until);
        let beside = match self.pass {
            Pass::Measure => {
                let beside = i64::try_from(i128::from(until) - i128::from(self.clock)).unwrap_or(0);
                self.tape.write(beside);
                if of_network == u64::MAX {
                    self.beside = self.beside.saturating_add(beside.max(0).unsigned_abs());
                    self.late = self.late.saturating_add(beside.min(0).unsigned_abs());
                }
                beside
            }
            Pass::Replay => self.tape.read(),
        };
        let modelled = if self.pace.models_network() { of_network } else { 0 };
        self.pending = self.pending.saturating_add((beside.max(0) as u64).saturating_sub(modelled));
        self.debt = if modelled > 0 { 0 } else { beside.min(0).unsigned_abs() };
    }

    /// Hands an event over at `time`, or when the one before it was.
    pub(crate) fn emit_at(&mut self, time: u64, event: Event) {
        self.emitted = self.emitted.max(time);
        let event = match event {
            Event::BufferFlush { stop: Time(stop) } => {
                let length = self.reader.picoseconds(stop).saturating_sub(self.recorded);
                Event::BufferFlush { stop: Time(self.emitted.saturating_add(length)) }
            }
            event => event,
        };
        let attributes = self.attributes.drain(..);
        if self.pace.is_removed() {
            return drop(attributes);
        }
        self.span = Some((self.span.map_or(self.emitted, |(first, _)| first), self.emitted));
        self.batch.extend(attributes.map(|attribute| (self.emitted, attribute)));
        self.batch.push((self.emitted, event));
    }

    /// Hands an event over now.
    pub(crate) fn emit(&mut self, event: Event) {
        self.emit_at(self.now(), event);
    }

    /// The events to hand over, if there are enough.
    pub(crate) fn take_batch(&mut self, is_last: bool) -> Option<Vec<(u64, Event)>> {
        let is_due = self.batch.len() >= BATCH || is_last && !self.batch.is_empty();
        is_due.then(|| std::mem::take(&mut self.batch))
    }
}
