//! The actions of a process.

use std::collections::{BTreeSet, HashMap, VecDeque};

use ats_model::event::{CollectiveOperation, CommunicatorRef};
use ats_model::mpi::{Function, Kind, SendMode};
use ats_model::{Event, EventSource};

use super::NotWritten;
use crate::call::Call;
use crate::replay::Program;
use crate::tables::RegionKind;

/// A message as one of its processes sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Message {
    pub(super) from: u32,
    pub(super) to: u32,
    pub(super) tag: u32,
    pub(super) bytes: u64,
}

/// A step of a process.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Action {
    /// Work, in picoseconds.
    Compute(u64),
    /// A message is sent; under a request, if there is one.
    Send(Message, Option<u64>),
    /// A message is received.
    Receive(Message, Option<u64>),
    /// A request is waited for, that of this message.
    Wait(Message, u64),
    /// A collective operation of all processes: the bytes of each member, or for each.
    Collective { operation: CollectiveOperation, root: u32, bytes: u64 },
}

/// The actions of a rank. What is lost is added to `losses`.
pub(super) fn actions<S: EventSource>(
    program: &Program<'_, S>,
    rank: u32,
    eager_limit: u64,
    losses: &mut BTreeSet<String>,
) -> Result<Vec<Action>, NotWritten> {
    let mut events =
        VecDeque::from(program.events_of(rank).ok_or_else(|| {
            NotWritten::Inexpressible(format!("rank {rank}, with several threads or none,"))
        })?);
    let mut writer = Writer {
        rank,
        ranks: program.ranks(),
        eager_limit,
        receives: receives(&events),
        requests: HashMap::new(),
        is_world: program.worlds(),
        actions: Vec::new(),
        losses,
    };
    let mut now = events.front().map_or(0, |event| event.0);
    let end = events.back().map_or(0, |event| event.0);
    while let Some((time, event)) = events.pop_front() {
        let Event::Enter { region } = event else { continue };
        let RegionKind::Mpi(function) = program.kind(region) else { continue };
        writer.compute(time - now.min(time));
        let call = call(function, time, &mut events);
        now = call.leave.max(time);
        if !writer.call(&call)? {
            writer.compute(now - time);
        }
    }
    writer.compute(end.saturating_sub(now));
    Ok(writer.actions)
}

/// By request: the messages that are received under it, in order.
fn receives(events: &VecDeque<(u64, Event)>) -> HashMap<u64, VecDeque<Event>> {
    let mut receives: HashMap<u64, VecDeque<Event>> = HashMap::new();
    for &(_, event) in events {
        if let Event::MpiIrecv { request, .. } = event {
            receives.entry(request).or_default().push_back(event);
        }
    }
    receives
}

/// The call that was entered, taken from the events.
fn call(function: Function, enter: u64, events: &mut VecDeque<(u64, Event)>) -> Call {
    let mut call = Call { function, enter, leave: enter, records: Vec::new(), left: None };
    let mut depth = 0;
    while let Some((time, event)) = events.pop_front() {
        call.leave = time;
        match event {
            Event::Leave { .. } if depth == 0 => break,
            Event::Leave { .. } => depth -= 1,
            Event::Enter { .. } => depth += 1,
            _ => {}
        }
        call.records.push((time, event));
    }
    call
}

/// The request of a message that is sent while its call receives another.
const EXCHANGED: u64 = u64::MAX;

fn is_exchange(function: Function) -> bool {
    matches!(function, Function::Sendrecv | Function::Sendrecv_replace)
}

struct Writer<'a> {
    rank: u32,
    ranks: u32,
    eager_limit: u64,
    receives: HashMap<u64, VecDeque<Event>>,
    /// The messages of requests that are started.
    requests: HashMap<u64, Message>,
    /// By communicator, whether it is that of all ranks in their order; `None` for those of one process.
    is_world: Vec<Option<bool>>,
    actions: Vec<Action>,
    losses: &'a mut BTreeSet<String>,
}

impl Writer<'_> {
    fn compute(&mut self, picoseconds: u64) {
        match self.actions.last_mut() {
            _ if picoseconds == 0 => {}
            Some(Action::Compute(before)) => *before += picoseconds,
            _ => self.actions.push(Action::Compute(picoseconds)),
        }
    }

    fn lose(&mut self, what: &str) {
        self.losses.insert(what.to_owned());
    }

    /// # Errors
    /// The communicator is not that of all ranks.
    fn check(&self, communicator: CommunicatorRef, function: Function) -> Result<(), NotWritten> {
        match self.is_world.get(communicator.0 as usize) {
            Some(Some(true) | None) => Ok(()),
            _ => Err(NotWritten::Inexpressible(format!("{function} on a part of the ranks"))),
        }
    }

    /// Adds what a call does; returns whether it does anything.
    fn call(&mut self, call: &Call) -> Result<bool, NotWritten> {
        let before = self.actions.len();
        for &(_, event) in &call.records {
            self.record(call.function, event)?;
        }
        if let Some(message) = self.requests.remove(&EXCHANGED) {
            self.actions.push(Action::Wait(message, EXCHANGED));
        }
        let does_nothing = self.actions.len() == before;
        if matches!(call.function.kind(), Kind::Probe | Kind::Completion { tests: true, .. }) {
            self.lose("probes and tests for messages are left out; what completes them waits");
        } else if call.is_unknown() && does_nothing {
            return Err(NotWritten::Inexpressible(call.function.to_string()));
        }
        Ok(!does_nothing)
    }

    fn record(&mut self, function: Function, event: Event) -> Result<(), NotWritten> {
        match event {
            Event::MpiSend { receiver, communicator, tag, bytes } => {
                let request = is_exchange(function).then_some(EXCHANGED);
                self.send(function, (communicator, receiver, tag, bytes), request)?;
            }
            Event::MpiIsend { receiver, communicator, tag, bytes, request } => {
                self.send(function, (communicator, receiver, tag, bytes), Some(request))?;
            }
            Event::MpiRecv { sender, communicator, tag, bytes } => {
                self.check(communicator, function)?;
                let message = Message { from: sender, to: self.rank, tag, bytes };
                self.actions.push(Action::Receive(message, None));
            }
            Event::MpiIrecvRequest { request } => {
                let completed = self.receives.get_mut(&request).and_then(VecDeque::pop_front);
                let Some(Event::MpiIrecv { sender, communicator, tag, bytes, .. }) = completed else {
                    self.lose("receives that are never completed are left out");
                    return Ok(());
                };
                self.check(communicator, function)?;
                let message = Message { from: sender, to: self.rank, tag, bytes };
                self.requests.insert(request, message);
                self.actions.push(Action::Receive(message, Some(request)));
            }
            Event::MpiIsendComplete { request } | Event::MpiIrecv { request, .. } => {
                if let Some(message) = self.requests.remove(&request) {
                    self.actions.push(Action::Wait(message, request));
                }
            }
            Event::NonBlockingCollectiveRequest { .. } => {
                return Err(NotWritten::Inexpressible(function.to_string()));
            }
            Event::MpiCollectiveEnd { operation, communicator, root, sent, received } => {
                self.collective(function, (operation, communicator), root, [sent, received])?;
            }
            _ => {}
        }
        Ok(())
    }

    fn send(
        &mut self,
        function: Function,
        (communicator, to, tag, bytes): (CommunicatorRef, u32, u32, u64),
        request: Option<u64>,
    ) -> Result<(), NotWritten> {
        self.check(communicator, function)?;
        match function.kind() {
            Kind::Send(SendMode::Synchronous) if bytes <= self.eager_limit => {
                self.lose("synchronous sends are standard ones, which do not wait up to the eager limit");
            }
            Kind::Send(SendMode::Buffered) if bytes > self.eager_limit => {
                self.lose("buffered sends are standard ones, which wait above the eager limit");
            }
            _ => {}
        }
        let message = Message { from: self.rank, to, tag, bytes };
        if let Some(request) = request {
            self.requests.insert(request, message);
        }
        self.actions.push(Action::Send(message, request));
        Ok(())
    }

    fn collective(
        &mut self,
        function: Function,
        (operation, communicator): (CollectiveOperation, CommunicatorRef),
        root: Option<u32>,
        [sent, received]: [u64; 2],
    ) -> Result<(), NotWritten> {
        use CollectiveOperation::*;
        if function == Function::Init || self.is_world.get(communicator.0 as usize) == Some(&None) {
            return Ok(());
        }
        self.check(communicator, function)?;
        let (size, rank, is_root) = (u64::from(self.ranks), u64::from(self.rank), root == Some(self.rank));
        let bytes = match operation {
            Barrier => 0,
            Bcast | Scatter if is_root => sent / size,
            Bcast | Scatter => received,
            Gather | Reduce if is_root => received / size,
            Gather | Reduce => sent,
            Allreduce | Alltoall | Allgather | ReduceScatterBlock => sent / size,
            Scan => sent / (size - rank).max(1),
            Exscan if rank + 1 < size => sent / (size - rank - 1),
            Exscan => received / rank.max(1),
            Gatherv | Scatterv | Allgatherv | Alltoallv | Alltoallw | ReduceScatter => {
                return Err(NotWritten::Inexpressible(format!("{function}, whose parts no record tells,")));
            }
            _ => {
                self.lose("communicator management and the end of MPI are barriers");
                return self.barrier();
            }
        };
        if matches!(function.kind(), Kind::Finalize) {
            self.lose("communicator management and the end of MPI are barriers");
        }
        self.actions.push(Action::Collective { operation, root: root.unwrap_or(0), bytes });
        Ok(())
    }

    fn barrier(&mut self) -> Result<(), NotWritten> {
        self.actions.push(Action::Collective { operation: CollectiveOperation::Barrier, root: 0, bytes: 0 });
        Ok(())
    }
}
