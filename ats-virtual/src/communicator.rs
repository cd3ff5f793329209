//! The communicator of a virtual rank: a plain id; world and rank come from the coroutine it is used in.

use ats_mpi::{
    BaseComm, Communicator, Completion, How, Memory, MpiBuf, Op, Outcome, Request, SendMode, Source, Status,
    Tag,
};

use crate::call::Frame;
use crate::collective::Call;
use crate::point_to_point::{Kind, Operation, Received, State};
use crate::world::{World, in_order_at, pause, world};

/// A communicator in virtual time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct VirtualCommunicator {
    group: u32,
    rank: u32,
    size: u32,
}

impl VirtualCommunicator {
    pub(crate) fn world(rank: usize, size: usize) -> Self {
        VirtualCommunicator { group: 0, rank: rank as u32, size: size as u32 }
    }

    /// `MPI_Init`: takes no time.
    pub(crate) fn init_call(&self) {
        let frame = Frame::enter("MPI_Init");
        world(|world| world.leave(&frame));
    }

    /// `MPI_Finalize`: waits for all.
    pub(crate) fn finalize(&self) {
        self.call_collective(&Call::finalize());
    }

    /// What an operation is, and this member's part of it if it is collective.
    fn kind(&self, op: &Op) -> (Kind, Option<Call>) {
        match op {
            Op::Send { mode, to, tag, buf } => {
                self.check_rank(*to, op);
                (Self::send(*mode, *to, *tag, buf), None)
            }
            Op::Recv { from, tag, buf } => {
                self.check_source(*from, op);
                (Kind::Recv { from: *from, tag: *tag, capacity: buf.bytes() }, None)
            }
            Op::Sendrecv { .. } => misuse("there is no non-blocking or persistent MPI_Sendrecv".to_owned()),
            _ => {
                let call = self.collective(op);
                (self.part(&call), Some(call))
            }
        }
    }

    fn send(mode: SendMode, to: usize, tag: u32, buf: &MpiBuf) -> Kind {
        Kind::Send { mode, to: to as u32, tag, bytes: buf.bytes(), message: 0 }
    }

    fn collective(&self, op: &Op) -> Call {
        let call = Call::of(op, self.rank as usize, self.size as usize);
        if let Some(root) = call.root() {
            self.check_rank(root as usize, op);
        }
        call
    }

    fn part(&self, call: &Call) -> Kind {
        Kind::Collective { instance: 0, cause: call.cause(self.rank) }
    }

    fn check_source(&self, from: Source, op: &Op) {
        if let Source::Rank(from) = from {
            self.check_rank(from, op);
        }
    }

    fn check_rank(&self, rank: usize, op: &Op) {
        if rank >= self.size as usize {
            misuse(format!(
                "{} names rank {rank} of a communicator of {} ranks",
                op.blocking_name(),
                self.size
            ));
        }
    }

    fn operation(&self, kind: Kind, persistent: bool) -> Operation {
        Operation { kind, group: self.group, awaited: false, persistent, state: State::Inactive }
    }

    fn keep(&self, kind: Kind, persistent: bool) -> u32 {
        world(|world| world.here().operations.keep(self.operation(kind, persistent)))
    }

    /// The source that a call receives from: the one that a real run matched, where it was left open. A receive that the
    /// run has not completed has none.
    fn matched(&self, from: Source, frame: &Frame) -> Source {
        match frame.outcome(from.choice()) {
            Some(Outcome::Matched(Some(source))) if source < self.size as usize => Source::Rank(source),
            Some(Outcome::Matched(Some(source))) => {
                frame.misfit(&format!("has a message from rank {source} of {}", self.size))
            }
            _ => from,
        }
    }

    /// The same in a call that returns with a message.
    fn matched_now(&self, from: Source, frame: &Frame) -> Source {
        let matched = self.matched(from, frame);
        if frame.is_pinned() && matched == Source::Any {
            frame.misfit("has no source, where the program receives from any");
        }
        matched
    }

    /// Starts a kept operation, in the order of time where that matters.
    fn start_kept(&self, number: u32, kind: &Kind, call: Option<&Call>, frame: &Frame) {
        let kind = &match *kind {
            Kind::Recv { from, tag, capacity } => {
                Kind::Recv { from: self.matched(from, frame), tag, capacity }
            }
            kind => kind,
        };
        let start = |world: &mut World<'_>| {
            world.start(number, kind, call, frame.pinned_leave());
            world.failure.is_some()
        };
        let started = world(|world| (!world.is_in_order(kind)).then(|| start(world)));
        let failed = started.unwrap_or_else(|| {
            in_order_at(world(|world| world.here().clock));
            world(start)
        });
        if failed {
            pause();
        }
    }

    /// Waits until all of these are done.
    fn await_all(&self, numbers: &[u32]) {
        if world(|world| world.awaits(numbers)) {
            pause();
        }
    }

    /// When the first of these is done, if one is.
    fn first_done(&self, numbers: &[u32]) -> Option<(u64, usize)> {
        world(|world| {
            let here = world.current as u32;
            let done = numbers.iter().enumerate().filter_map(|(at, &number)| {
                let State::Done(done) = world.operation(here, number)?.state else { return None };
                Some((done.at, at))
            });
            done.min()
        })
    }

    /// Waits until one of these is done and nothing earlier can happen; returns when that is.
    fn await_any(&self, numbers: &[u32]) -> u64 {
        loop {
            let now = world(|world| world.here().clock);
            match self.first_done(numbers) {
                Some((at, _)) => {
                    in_order_at(at.max(now));
                    // Others that are done earlier may have become so since.
                    let first = self.first_done(numbers).map_or(at, |(first, _)| first);
                    return first.max(now);
                }
                None if world(|world| world.is_over) => return now,
                None => {
                    world(|world| {
                        let here = world.current as u32;
                        for &number in numbers {
                            if let Some(operation) = world.operation(here, number) {
                                operation.awaited = matches!(operation.state, State::Started);
                            }
                        }
                        world.here().awaits = 1;
                    });
                    pause();
                    world(|world| {
                        let here = world.current as u32;
                        for &number in numbers {
                            if let Some(operation) = world.operation(here, number) {
                                operation.awaited = false;
                            }
                        }
                    });
                }
            }
        }
    }

    /// A blocking call of one operation, which `start` starts. Many need nobody, so this is done in one go as far as it gets.
    ///
    /// Compiled into each kind of call: an operation is then written at once where it is kept. Copying it there as soon as
    /// it is put together elsewhere would make the processor wait for its parts.
    #[inline(always)]
    fn call_one(
        &self,
        name: &'static str,
        kind: Kind,
        call: Option<&Call>,
        start: impl FnOnce(&mut World<'_>, &Frame, u32),
    ) -> Received {
        let begun = world(|world| {
            let frame = world.enter_call(name);
            let number = world.here().operations.keep(self.operation(kind, false));
            start(world, &frame, number);
            if world.failure.is_some() || world.awaits(&[number]) {
                return Err((frame, number));
            }
            Ok(world.finish_one(&frame, number, call))
        });
        begun.unwrap_or_else(|(frame, number)| {
            pause();
            world(|world| world.finish_one(&frame, number, call))
        })
    }

    /// A blocking receive from a source that may have to be started in the order of time.
    #[inline(never)]
    fn call_recv_in_order(&self, from: Source, tag: Tag, capacity: usize) -> Received {
        let frame = Frame::enter("MPI_Recv");
        let kind = Kind::Recv { from: self.matched_now(from, &frame), tag, capacity };
        let number = self.keep(kind, false);
        self.start_kept(number, &kind, None, &frame);
        self.await_all(&[number]);
        world(|world| world.finish_one(&frame, number, None))
    }

    /// A member's part of a blocking collective operation.
    #[inline(always)]
    fn call_collective(&self, call: &Call) -> Received {
        self.call_one(call.name, self.part(call), Some(call), |world, frame, number| {
            world.start_collective(number, call, frame.pinned_leave());
        })
    }

    /// Not inlined: its frame would make that of every call larger, and each rank has its own stack to keep in the cache.
    #[inline(never)]
    fn call_sendrecv(&self, op: &Op) -> Received {
        let frame = Frame::enter(op.blocking_name());
        let Op::Sendrecv { to, send_tag, send, from, recv_tag, recv } = op.clone() else {
            unreachable!("checked by the caller")
        };
        let send = Op::Send { mode: SendMode::Standard, to, tag: send_tag, buf: send };
        let recv = Op::Recv { from: self.matched_now(from, &frame), tag: recv_tag, buf: recv };
        let numbers = [send, recv].map(|half| {
            let kind = self.kind(&half).0;
            let number = self.keep(kind, false);
            self.start_kept(number, &kind, None, &frame);
            number
        });
        self.await_all(&numbers);
        world(|world| world.finish(&frame, &numbers))
    }

    /// Waits until a message can be received; returns when it had arrived.
    fn await_message(&self, from: Source, tag: Tag) -> (u64, Status) {
        loop {
            let now = world(|world| world.here().clock);
            in_order_at(now);
            match world(|world| world.here().mailbox.probe(self.group, from, tag)) {
                Some((arrives, source, tag, bytes)) if arrives <= now => {
                    return (arrives, Status { source: source as usize, tag, bytes });
                }
                Some((arrives, ..)) => world(|world| world.advance_to(arrives)),
                None if world(|world| world.is_over) => return (now, Status::default()),
                None => {
                    world(|world| world.here().awaits_message = true);
                    pause();
                }
            }
        }
    }

    /// What a real run took in a completion call, of the requests that are active.
    fn taken(
        &self,
        how: How,
        outcome: Outcome,
        active: &[usize],
        numbers: &[u32],
        frame: &Frame,
    ) -> Vec<usize> {
        let taken = match outcome {
            Outcome::Took(taken) => taken,
            Outcome::Flag(true) => active.to_vec(),
            Outcome::Flag(false) | Outcome::Matched(_) => Vec::new(),
        };
        if let Some(at) = taken.iter().find(|at| active.binary_search(at).is_err()) {
            frame.misfit(&format!("took request {at}, which the program has not started there"));
        }
        if taken.is_empty() && !active.is_empty() && matches!(how, How::Waitany | How::Waitsome) {
            frame.misfit("took no request, where the program waits for one");
        }
        let awaited: Vec<u32> = taken.iter().map(|&at| numbers[at]).collect();
        self.await_all(&awaited);
        taken
    }

    fn make(&self, group: usize, rank: u32) -> VirtualCommunicator {
        let size = world(|world| world.groups[group].members.len() as u32);
        VirtualCommunicator { group: group as u32, rank, size }
    }

    fn numbers(requests: &[Request]) -> Vec<u32> {
        requests.iter().map(|request| request.0 as u32).collect()
    }

    fn status(received: Received) -> Status {
        Status { source: received.source as usize, tag: received.tag, bytes: received.bytes }
    }
}

/// Ends the simulation: the program breaks a rule of MPI.
fn misuse(message: String) -> ! {
    let misuse = world(|world| world.misuse(message));
    std::panic::resume_unwind(Box::new(misuse))
}

impl Communicator for VirtualCommunicator {
    fn rank(&self) -> usize {
        self.rank as usize
    }

    fn size(&self) -> usize {
        self.size as usize
    }

    fn allocate(&self, bytes: usize) -> Memory {
        Memory::length_only(bytes)
    }

    fn base_comm(&self) -> BaseComm {
        world(|world| world.master().base)
    }

    fn set_base_comm(&self, base: BaseComm) {
        world(|world| world.master().base = base);
    }

    fn call(&self, op: Op) -> Status {
        let name = op.blocking_name();
        let received = match &op {
            Op::Sendrecv { .. } => self.call_sendrecv(&op),
            Op::Send { mode, to, tag, buf } => {
                self.check_rank(*to, &op);
                let kind = Self::send(*mode, *to, *tag, buf);
                self.call_one(name, kind, None, |world, _, number| world.start_send(number))
            }
            Op::Recv { from, tag, buf } => {
                self.check_source(*from, &op);
                let (from, tag, capacity) = (*from, *tag, buf.bytes());
                if world(|world| world.here().mailbox.ordered(from)) {
                    self.call_recv_in_order(from, tag, capacity)
                } else {
                    let kind = Kind::Recv { from, tag, capacity };
                    self.call_one(name, kind, None, |world, _, number| world.start_recv(number, from))
                }
            }
            _ => self.call_collective(&self.collective(&op)),
        };
        Self::status(received)
    }

    fn start(&self, op: Op) -> Request {
        let frame = Frame::enter(op.nonblocking_name());
        let (kind, call) = self.kind(&op);
        let number = self.keep(kind, false);
        self.start_kept(number, &kind, call.as_ref(), &frame);
        world(|world| {
            world.started_event(&frame, number);
            world.leave(&frame);
        });
        Request(u64::from(number))
    }

    fn init(&self, op: Op) -> Request {
        let Some(name) = op.init_name() else {
            misuse(format!("{} has no persistent form", op.blocking_name()));
        };
        let frame = Frame::enter(name);
        let number = self.keep(self.kind(&op).0, true);
        world(|world| world.leave(&frame));
        Request(u64::from(number))
    }

    fn restart(&self, request: &Request) {
        let number = request.0 as u32;
        let frame = Frame::enter("MPI_Start");
        let kind = world(|world| {
            let here = world.current as u32;
            world.operation(here, number).map(|operation| operation.kind)
        });
        if let Some(kind) = kind {
            self.start_kept(number, &kind, None, &frame);
        }
        world(|world| {
            world.started_event(&frame, number);
            world.leave(&frame);
        });
    }

    fn complete(&self, how: How, requests: &mut Vec<Request>) -> Completion {
        let frame = Frame::enter_completion(how.name());
        let numbers = Self::numbers(requests);
        let active: Vec<usize> = world(|world| {
            let here = world.current as u32;
            let active = |number: u32| {
                world
                    .operation(here, number)
                    .is_some_and(|operation| !matches!(operation.state, State::Inactive))
            };
            numbers
                .iter()
                .copied()
                .map(active)
                .enumerate()
                .filter_map(|(at, active)| active.then_some(at))
                .collect()
        });
        let active_numbers: Vec<u32> = active.iter().map(|&at| numbers[at]).collect();
        let done_by = |time: u64| {
            world(|world| {
                let here = world.current as u32;
                let done = |at: &usize| {
                    let operation = world.operation(here, numbers[*at]);
                    matches!(operation.map(|operation| operation.state), Some(State::Done(done)) if done.at <= time)
                };
                active.iter().copied().filter(done).collect::<Vec<usize>>()
            })
        };
        let complete: Vec<usize> = match frame.outcome(how.choice()) {
            Some(outcome) => self.taken(how, outcome, &active, &numbers, &frame),
            None if active.is_empty() => Vec::new(),
            None => match how {
                How::Wait | How::Waitall => {
                    self.await_all(&active_numbers);
                    active.clone()
                }
                How::Waitany => {
                    self.await_any(&active_numbers);
                    self.first_done(&active_numbers).map(|(_, at)| active[at]).into_iter().collect()
                }
                How::Waitsome => done_by(self.await_any(&active_numbers)),
                How::Test | How::Testany | How::Testsome | How::Testall => {
                    let now = world(|world| world.here().clock);
                    in_order_at(now);
                    let mut done = done_by(now);
                    match how {
                        How::Testsome => {}
                        How::Testany => {
                            let first = self.first_done(&active_numbers).map(|(_, at)| active[at]);
                            done.retain(|&at| Some(at) == first);
                        }
                        _ if done.len() < active.len() => done.clear(),
                        _ => {}
                    }
                    if done.is_empty() {
                        world(|world| world.poll());
                    }
                    done
                }
            },
        };
        let taken: Vec<u32> = complete.iter().map(|&at| numbers[at]).collect();
        let statuses = world(|world| {
            let here = world.current as u32;
            let status = |&number: &u32| match world.operation(here, number).map(|operation| operation.state)
            {
                Some(State::Done(done)) => Self::status(done.received),
                _ => Status::default(),
            };
            taken.iter().map(status).collect::<Vec<_>>()
        });
        let persistent: Vec<bool> = world(|world| {
            let here = world.current as u32;
            taken
                .iter()
                .map(|&number| world.operation(here, number).is_some_and(|one| one.persistent))
                .collect()
        });
        world(|world| world.finish(&frame, &taken));
        let mut stays = vec![true; requests.len()];
        for (&at, persistent) in complete.iter().zip(persistent) {
            stays[at] = persistent;
        }
        let mut stays = stays.into_iter();
        requests.retain(|_| stays.next().expect("one for each request"));
        Completion { completed: complete.into_iter().zip(statuses).collect() }
    }

    fn probe(&self, from: Source, tag: Tag) -> Status {
        let frame = Frame::enter("MPI_Probe");
        let from = self.matched_now(from, &frame);
        let (arrived, status) = self.await_message(from, tag);
        world(|world| world.leave_blocked(&frame, arrived, self.group));
        status
    }

    fn iprobe(&self, from: Source, tag: Tag) -> Option<Status> {
        let frame = Frame::enter("MPI_Iprobe");
        let found = match frame.outcome(Some(from.choice_of_iprobe())) {
            Some(Outcome::Matched(None) | Outcome::Flag(false)) => None,
            Some(_) => Some(self.await_message(self.matched_now(from, &frame), tag).1),
            None => {
                let now = world(|world| world.here().clock);
                in_order_at(now);
                let there = world(|world| world.here().mailbox.probe(self.group, from, tag));
                let there = there.filter(|&(arrives, ..)| arrives <= now);
                if there.is_none() {
                    world(|world| world.poll());
                }
                there.map(|(_, source, tag, bytes)| Status { source: source as usize, tag, bytes })
            }
        };
        world(|world| world.leave(&frame));
        found
    }

    fn split(&self, color: Option<u32>, key: i32) -> Option<Box<dyn Communicator>> {
        let new = self.call_collective(&Call::split("MPI_Comm_split", color, key));
        (new.bytes != usize::MAX).then(|| Box::new(self.make(new.bytes, new.source)) as Box<dyn Communicator>)
    }

    fn dup(&self) -> Box<dyn Communicator> {
        let new = self.call_collective(&Call::split("MPI_Comm_dup", Some(0), self.rank as i32));
        Box::new(self.make(new.bytes, new.source))
    }
}
