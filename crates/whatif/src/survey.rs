//! A first look at a trace: what is in it, and what of it lacks its other end.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use ats_model::definitions::Members;
use ats_model::event::{CommunicatorRef, TaskId};
use ats_model::mpi::Function;
use ats_model::{Definitions, Event, EventSource};
use rustc_hash::FxHashMap;

use crate::call::is_collective;
use crate::tables::{RegionKind, Tables};

/// Messages between two processes with one tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Channel {
    pub(crate) communicator: u32,
    /// The sender's rank in the communicator.
    pub(crate) from: u32,
    /// The receiver's.
    pub(crate) to: u32,
    pub(crate) tag: u32,
}

/// The end of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum End {
    Send,
    Receive,
}

/// Ends of uneven messages, and parts in uneven collective operations, that a location has come to.
#[derive(Debug, Default)]
pub(crate) struct Counted {
    ends: FxHashMap<(Channel, End), u64>,
    parts: FxHashMap<CommunicatorRef, u64>,
}

/// Contents of a trace.
#[derive(Debug, Default)]
pub(crate) struct Survey {
    /// By location: the first and last time stamps, in ticks.
    pub(crate) spans: Vec<Option<(u64, u64)>>,
    /// The number of events.
    pub(crate) events: u64,
    /// The channels with more ends of one kind, and how many messages have both.
    uneven: FxHashMap<Channel, u64>,
    /// The number of ends that lack the other.
    pub(crate) lone_ends: u64,
    /// The communicators whose members have unequally many collective operations: the least.
    uneven_parts: FxHashMap<CommunicatorRef, u64>,
    /// The number of parts of collective operations that lack others.
    pub(crate) lone_parts: u64,
    /// By process and lock: the least order of an acquisition.
    first_orders: FxHashMap<(u32, u32), u32>,
    /// By process.
    created: FxHashMap<u32, Tasks>,
    completed: FxHashMap<u32, Tasks>,
    /// The bytes of the largest message that is sent without blocking, and of the largest in a call that blocks.
    pub(crate) largest_isend: u64,
    pub(crate) largest_send: u64,
    /// Whether all processes are aligned equally often.
    pub(crate) is_aligned: bool,
    /// Why locations could not be read to their end, with their number.
    pub(crate) damages: Vec<(usize, String)>,
}

/// Tasks of a process, a bit for each: their numbers follow each other.
#[derive(Debug, Default)]
struct Tasks(FxHashMap<(u32, u32), u64>);

impl Tasks {
    /// The place of a task, and its bit there.
    fn place(task: TaskId) -> ((u32, u32), u64) {
        ((task.creator, task.generation / u64::BITS), 1 << (task.generation % u64::BITS))
    }

    fn insert(&mut self, task: TaskId) {
        let (place, bit) = Tasks::place(task);
        *self.0.entry(place).or_default() |= bit;
    }

    fn extend(&mut self, others: Tasks) {
        others.0.into_iter().for_each(|(place, bits)| *self.0.entry(place).or_default() |= bits);
    }

    fn contains(&self, task: TaskId) -> bool {
        let (place, bit) = Tasks::place(task);
        self.0.get(&place).is_some_and(|bits| bits & bit != 0)
    }
}

/// Contents of one location, and the reason if it could not be read to its end.
type Look = (Seen, Option<String>);

/// Contents of one location.
#[derive(Default)]
struct Seen {
    span: Option<(u64, u64)>,
    events: u64,
    ends: FxHashMap<(Channel, End), u64>,
    parts: FxHashMap<CommunicatorRef, u64>,
    orders: FxHashMap<u32, u32>,
    created: Tasks,
    completed: Tasks,
    largest_isend: u64,
    alignments: u64,
    largest_send: u64,
    /// The call of MPI that it is in, and the number of regions entered in that.
    call: Option<(Function, u32)>,
}

impl Seen {
    /// It comes to the begin or the end of a region.
    fn pass(&mut self, tables: &Tables<'_>, event: Event) {
        if let Event::Enter { region } = event {
            self.alignments += u64::from(tables.kind(region) == RegionKind::Alignment);
        }
        match (event, &mut self.call) {
            (Event::Enter { .. }, Some((_, depth))) => *depth += 1,
            (Event::Enter { region }, None) => {
                if let RegionKind::Mpi(function) = tables.kind(region) {
                    self.call = Some((function, 0));
                }
            }
            (Event::Leave { .. }, Some((_, depth @ 1..))) => *depth -= 1,
            (Event::Leave { .. }, Some(_)) => self.call = None,
            _ => {}
        }
    }

    fn see(&mut self, mut own: impl FnMut(CommunicatorRef) -> u32, time: u64, event: Event) {
        let (first, last) = self.span.unwrap_or((time, time));
        self.span = Some((first.min(time), last.max(time)));
        self.events += 1;
        match event {
            Event::MpiIsend { bytes, .. } => self.largest_isend = self.largest_isend.max(bytes),
            Event::MpiSend { bytes, .. } => self.largest_send = self.largest_send.max(bytes),
            _ => {}
        }
        let mut end = |communicator: CommunicatorRef, from, to, tag, end| {
            let channel = Channel { communicator: communicator.0, from, to, tag };
            *self.ends.entry((channel, end)).or_default() += 1;
        };
        match event {
            Event::MpiSend { receiver, communicator, tag, .. }
            | Event::MpiIsend { receiver, communicator, tag, .. } => {
                end(communicator, own(communicator), receiver, tag, End::Send);
            }
            Event::MpiRecv { sender, communicator, tag, .. }
            | Event::MpiIrecv { sender, communicator, tag, .. } => {
                end(communicator, sender, own(communicator), tag, End::Receive);
            }
            // Of other calls it is no operation of a replay.
            Event::MpiCollectiveEnd { communicator, .. }
                if self.call.is_some_and(|(function, _)| is_collective(function)) =>
            {
                *self.parts.entry(communicator).or_default() += 1;
            }
            Event::NonBlockingCollectiveComplete { communicator, .. } => {
                *self.parts.entry(communicator).or_default() += 1;
            }
            Event::ThreadAcquireLock { lock, order } => {
                let first = self.orders.entry(lock).or_insert(order);
                *first = (*first).min(order);
            }
            Event::ThreadTaskCreate { task, .. } => self.created.insert(task),
            Event::ThreadTaskComplete { task, .. } => self.completed.insert(task),
            _ => {}
        }
    }
}

impl Survey {
    /// Reads all locations, several at once.
    pub(crate) fn new<S: EventSource>(source: &S, tables: &Tables<'_>) -> Self {
        let definitions = tables.definitions;
        let locations = definitions.locations.len();
        let next = AtomicUsize::new(0);
        let seen: Mutex<Vec<Look>> = Mutex::new((0..locations).map(|_| Look::default()).collect());
        let processors = std::thread::available_parallelism().map_or(1, |number| number.get());
        std::thread::scope(|scope| {
            for _ in 0..processors.min(locations) {
                scope.spawn(|| {
                    while let Some(location) =
                        Some(next.fetch_add(1, Ordering::Relaxed)).filter(|&at| at < locations)
                    {
                        let one = look(source, tables, location);
                        seen.lock().unwrap_or_else(|poisoned| poisoned.into_inner())[location] = one;
                    }
                });
            }
        });
        let seen = seen.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
        Survey::of_locations(definitions, seen.into_iter())
    }

    fn of_locations(definitions: &Definitions, seen: impl Iterator<Item = Look>) -> Self {
        let mut survey = Survey::default();
        let mut ends: FxHashMap<Channel, [u64; 2]> = FxHashMap::default();
        let mut parts: FxHashMap<CommunicatorRef, FxHashMap<u32, u64>> = FxHashMap::default();
        let mut alignments: FxHashMap<u32, u64> = FxHashMap::default();
        for (location, (one, damage)) in seen.enumerate() {
            let rank = definitions.locations[location].rank;
            survey.spans.push(one.span);
            survey.events += one.events;
            *alignments.entry(rank).or_default() += one.alignments;
            survey.largest_isend = survey.largest_isend.max(one.largest_isend);
            survey.largest_send = survey.largest_send.max(one.largest_send);
            survey.damages.extend(damage.map(|damage| (location, damage)));
            for ((channel, end), number) in one.ends {
                ends.entry(channel).or_default()[usize::from(end == End::Receive)] += number;
            }
            for (communicator, number) in one.parts {
                *parts.entry(communicator).or_default().entry(rank).or_default() += number;
            }
            for (lock, order) in one.orders {
                let first = survey.first_orders.entry((rank, lock)).or_insert(order);
                *first = (*first).min(order);
            }
            survey.created.entry(rank).or_default().extend(one.created);
            survey.completed.entry(rank).or_default().extend(one.completed);
        }
        let ranks = definitions.locations.iter().map(|location| location.rank as usize + 1).max();
        let is_like_first = |number: &u64| Some(number) == alignments.values().next();
        survey.is_aligned = Some(alignments.len()) == ranks && alignments.values().all(is_like_first);
        for (channel, [sent, received]) in ends {
            if sent != received {
                survey.uneven.insert(channel, sent.min(received));
                survey.lone_ends += sent.abs_diff(received);
            }
        }
        for (communicator, of_ranks) in parts {
            let Some(Members::Ranks(members)) = definitions.communicator(communicator).map(|it| &it.members)
            else {
                continue;
            };
            let number = |member: &u32| of_ranks.get(member).copied().unwrap_or(0);
            let least = members.iter().map(number).min().unwrap_or(0);
            let lone: u64 = members.iter().map(|member| number(member) - least).sum();
            if lone > 0 {
                survey.uneven_parts.insert(communicator, least);
                survey.lone_parts += lone;
            }
        }
        survey
    }

    /// Whether all messages of a channel have both ends.
    pub(crate) fn is_even(&self, channel: Channel) -> bool {
        !self.uneven.contains_key(&channel)
    }

    /// Whether the next message of a channel, at one of its ends, has the other.
    pub(crate) fn has_end(&self, channel: Channel, end: End, counted: &mut Counted) -> bool {
        let Some(&both) = self.uneven.get(&channel) else { return true };
        let number = counted.ends.entry((channel, end)).or_default();
        *number += 1;
        *number <= both
    }

    /// Whether all members have a part in the next collective operation on a communicator.
    pub(crate) fn has_part(&self, communicator: CommunicatorRef, counted: &mut Counted) -> bool {
        let Some(&least) = self.uneven_parts.get(&communicator) else { return true };
        let number = counted.parts.entry(communicator).or_default();
        *number += 1;
        *number <= least
    }

    /// Whether a lock was acquired before, by its order.
    pub(crate) fn has_acquisition_before(&self, rank: u32, lock: u32, order: u32) -> bool {
        self.first_orders.get(&(rank, lock)).is_some_and(|&first| order > first)
    }

    /// Whether a process created a task.
    pub(crate) fn has_creation(&self, rank: u32, task: TaskId) -> bool {
        self.created.get(&rank).is_some_and(|tasks| tasks.contains(task))
    }

    /// Whether a process completed a task.
    pub(crate) fn has_completion(&self, rank: u32, task: TaskId) -> bool {
        self.completed.get(&rank).is_some_and(|tasks| tasks.contains(task))
    }
}

/// Reads one location.
fn look<S: EventSource>(source: &S, tables: &Tables<'_>, location: usize) -> Look {
    let definitions = tables.definitions;
    let rank = definitions.locations[location].rank;
    let mut seen = Seen::default();
    let mut own: FxHashMap<CommunicatorRef, u32> = FxHashMap::default();
    let read = source.read_location(location, |time, event| {
        let own = |communicator| {
            let rank_in = || rank_in(definitions, communicator, rank).unwrap_or(u32::MAX);
            *own.entry(communicator).or_insert_with(rank_in)
        };
        seen.pass(tables, event);
        seen.see(own, time, event);
    });
    (seen, read.err().map(|error| error.to_string()))
}

/// The rank of a process in a communicator, if it is a member.
fn rank_in(definitions: &Definitions, communicator: CommunicatorRef, rank: u32) -> Option<u32> {
    match &definitions.communicator(communicator)?.members {
        Members::SelfOnly => Some(0),
        Members::Ranks(ranks) if ranks.get(rank as usize) == Some(&rank) => Some(rank),
        Members::Ranks(ranks) => ranks.iter().position(|&member| member == rank).map(|at| at as u32),
    }
}
