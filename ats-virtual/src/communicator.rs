//! The communicator of a virtual rank: a plain id; world and rank come from the coroutine it is used in.

use ats_model::event::{CommunicatorRef, Event};
use ats_model::rules::{Blocked, Cause};
use ats_mpi::{BaseComm, Communicator, Completion, How, Memory, Op, Request, Source, Status, Tag};

use crate::account::MessageWait;
use crate::call::Frame;
use crate::collective::Call;
use crate::point_to_point::{CompletedSend, Done, Kind, Operation, State, late_receiver, late_sender};
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
        self.call_collective(Call::finalize());
    }

    fn kind(&self, op: &Op) -> Kind {
        match op {
            Op::Send { mode, to, tag, buf } => {
                self.check_rank(*to, op);
                Kind::Send { mode: *mode, to: *to, tag: *tag, bytes: buf.bytes(), message: 0 }
            }
            Op::Recv { from, tag, buf } => {
                if let Source::Rank(from) = from {
                    self.check_rank(*from, op);
                }
                Kind::Recv { from: *from, tag: *tag, capacity: buf.bytes() }
            }
            Op::Sendrecv { .. } => misuse("there is no non-blocking or persistent MPI_Sendrecv".to_owned()),
            _ => {
                let call =
                    Call::of(op, self.rank as usize, self.size as usize).expect("the rest are collective");
                if let crate::collective::Shape::FromRoot(root) | crate::collective::Shape::ToRoot(root) =
                    call.shape
                {
                    self.check_rank(root as usize, op);
                }
                Kind::Collective { call, instance: 0 }
            }
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

    fn keep(&self, kind: Kind, persistent: bool) -> u32 {
        let operation = Operation {
            kind,
            group: self.group,
            posted: 0,
            awaited: false,
            persistent,
            state: State::Inactive,
        };
        world(|world| world.keep(operation))
    }

    /// Starts a kept operation, in the order of time where that matters.
    fn start_kept(&self, number: u32, frame: &Frame) {
        let ordered = world(|world| {
            let here = world.current as u32;
            match world.operation(here, number).map(|operation| operation.kind) {
                Some(Kind::Recv { from, .. }) => {
                    world.here().mailbox.ordered(from).then(|| world.here().clock)
                }
                _ => None,
            }
        });
        if let Some(now) = ordered {
            in_order_at(now);
        }
        let failed = world(|world| {
            let here = world.current as u32;
            match world.operation(here, number).map(|operation| operation.kind) {
                Some(Kind::Send { .. }) => world.start_send(number),
                Some(Kind::Recv { .. }) => world.start_recv(number),
                Some(Kind::Collective { .. }) => world.start_collective(number, frame.pinned_leave()),
                None => {}
            }
            world.failure.is_some()
        });
        if failed {
            pause();
        }
    }

    /// Waits until all of these are done.
    fn await_all(&self, numbers: &[u32]) {
        let blocked = world(|world| {
            let here = world.current as u32;
            let mut awaits = 0;
            for &number in numbers {
                let Some(operation) = world.operation(here, number) else { continue };
                if matches!(operation.state, State::Started) {
                    operation.awaited = true;
                    awaits += 1;
                }
            }
            world.here().awaits = awaits;
            awaits > 0
        });
        if blocked {
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
                    let at = at.max(now);
                    in_order_at(at);
                    if self.first_done(numbers).is_some_and(|(first, _)| first <= at) {
                        return at;
                    }
                }
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

    /// Leaves a call that completes these operations; the last one's result is returned.
    fn finish(&self, frame: Frame, numbers: &[u32]) -> Done {
        world(|world| world.finish(frame, numbers, self.rank))
    }

    fn make(&self, group: usize, rank: u32) -> VirtualCommunicator {
        let size = world(|world| world.groups[group].members.len() as u32);
        VirtualCommunicator { group: group as u32, rank, size }
    }

    fn call_collective(&self, call: Call) -> Done {
        let frame = Frame::enter(call.name);
        let number = self.keep(Kind::Collective { call, instance: 0 }, false);
        self.start_kept(number, &frame);
        self.await_all(&[number]);
        self.finish(frame, &[number])
    }

    fn numbers(requests: &[Request]) -> Vec<u32> {
        requests.iter().map(|request| request.0 as u32).collect()
    }

    fn status(done: &Done) -> Status {
        Status { source: done.source as usize, tag: done.tag, bytes: done.bytes }
    }
}

/// Ends the simulation: the program breaks a rule of MPI.
fn misuse(message: String) -> ! {
    let rank = world(|world| world.current);
    std::panic::resume_unwind(Box::new(crate::SimulationError::Misuse { rank, message }))
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
        world(|world| world.here().base)
    }

    fn set_base_comm(&self, base: BaseComm) {
        world(|world| world.here().base = base);
    }

    fn call(&self, op: Op) -> Status {
        let frame = Frame::enter(op.blocking_name());
        let done = match op {
            Op::Sendrecv { to, send_tag, send, from, recv_tag, recv } => {
                let send = Op::Send { mode: ats_mpi::SendMode::Standard, to, tag: send_tag, buf: send };
                let recv = Op::Recv { from: frame.chosen(from), tag: recv_tag, buf: recv };
                let numbers = [self.keep(self.kind(&send), false), self.keep(self.kind(&recv), false)];
                for number in numbers {
                    self.start_kept(number, &frame);
                }
                self.await_all(&numbers);
                self.finish(frame, &numbers)
            }
            op => {
                let mut kind = self.kind(&op);
                if let Kind::Recv { from, .. } = &mut kind {
                    *from = frame.chosen(*from);
                }
                let number = self.keep(kind, false);
                self.start_kept(number, &frame);
                self.await_all(&[number]);
                self.finish(frame, &[number])
            }
        };
        Self::status(&done)
    }

    fn start(&self, op: Op) -> Request {
        let frame = Frame::enter(op.nonblocking_name());
        let number = self.keep(self.kind(&op), false);
        self.start_kept(number, &frame);
        world(|world| {
            world.started_event(number);
            world.leave(&frame);
        });
        Request(u64::from(number))
    }

    fn init(&self, op: Op) -> Request {
        let Some(name) = op.init_name() else {
            misuse(format!("{} has no persistent form", op.blocking_name()));
        };
        let frame = Frame::enter(name);
        let number = self.keep(self.kind(&op), true);
        world(|world| world.leave(&frame));
        Request(u64::from(number))
    }

    fn restart(&self, request: &Request) {
        let number = request.0 as u32;
        let frame = Frame::enter("MPI_Start");
        self.start_kept(number, &frame);
        world(|world| {
            world.started_event(number);
            world.leave(&frame);
        });
    }

    fn complete(&self, how: How, requests: &mut Vec<Request>) -> Completion {
        let frame = Frame::enter(how.name());
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
        let complete: Vec<usize> = match how {
            _ if active.is_empty() => Vec::new(),
            How::Wait | How::Waitall => {
                self.await_all(&active_numbers);
                active.clone()
            }
            How::Waitany => match frame.choice() {
                Some(chosen) if active.contains(&(chosen as usize)) => {
                    self.await_all(&[numbers[chosen as usize]]);
                    vec![chosen as usize]
                }
                _ => {
                    self.await_any(&active_numbers);
                    self.first_done(&active_numbers).map(|(_, at)| active[at]).into_iter().collect()
                }
            },
            How::Waitsome => done_by(self.await_any(&active_numbers)),
            How::Test | How::Testall => {
                let now = world(|world| world.here().clock);
                in_order_at(now);
                let done = done_by(now);
                let enough = done.len() == active.len();
                if !enough {
                    world(|world| world.poll());
                }
                if enough { done } else { Vec::new() }
            }
        };
        let taken: Vec<u32> = complete.iter().map(|&at| numbers[at]).collect();
        let statuses = world(|world| {
            let here = world.current as u32;
            let status = |&number: &u32| match world.operation(here, number).map(|operation| operation.state)
            {
                Some(State::Done(done)) => Self::status(&done),
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
        self.finish(frame, &taken);
        for (&at, persistent) in complete.iter().zip(persistent).rev() {
            if !persistent {
                let _ = requests.remove(at);
            }
        }
        Completion { completed: complete.into_iter().zip(statuses).collect() }
    }

    fn probe(&self, from: Source, tag: Tag) -> Status {
        let frame = Frame::enter("MPI_Probe");
        let from = frame.chosen(from);
        loop {
            let now = world(|world| world.here().clock);
            in_order_at(now);
            match world(|world| world.here().mailbox.probe(self.group, from, tag)) {
                Some((arrives, source, tag, bytes)) if arrives <= now => {
                    world(|world| world.leave_blocked(&frame, arrives, self.group));
                    return Status { source: source as usize, tag, bytes };
                }
                Some((arrives, ..)) => world(|world| world.here().clock = arrives),
                None => {
                    world(|world| world.here().awaits_message = true);
                    pause();
                }
            }
        }
    }

    fn iprobe(&self, from: Source, tag: Tag) -> Option<Status> {
        let frame = Frame::enter("MPI_Iprobe");
        let now = world(|world| world.here().clock);
        in_order_at(now);
        let there = world(|world| world.here().mailbox.probe(self.group, from, tag));
        let there = there.filter(|&(arrives, ..)| arrives <= now);
        world(|world| {
            if there.is_none() {
                world.poll();
            }
            world.leave(&frame);
        });
        there.map(|(_, source, tag, bytes)| Status { source: source as usize, tag, bytes })
    }

    fn split(&self, color: Option<u32>, key: i32) -> Option<Box<dyn Communicator>> {
        let done = self.call_collective(Call::split("MPI_Comm_split", color, key));
        (done.bytes != usize::MAX)
            .then(|| Box::new(self.make(done.bytes, done.source)) as Box<dyn Communicator>)
    }

    fn dup(&self) -> Box<dyn Communicator> {
        let done = self.call_collective(Call::split("MPI_Comm_dup", Some(0), self.rank as i32));
        Box::new(self.make(done.bytes, done.source))
    }
}

impl World<'_> {
    /// The event of a non-blocking start.
    fn started_event(&mut self, number: u32) {
        let here = self.current as u32;
        let Some(operation) = self.operation(here, number) else { return };
        let communicator = CommunicatorRef(operation.group);
        let event = match operation.kind {
            Kind::Send { to, tag, bytes, message, .. } => Event::MpiIsend {
                receiver: to as u32,
                communicator,
                tag,
                bytes: bytes as u64,
                request: message,
            },
            Kind::Recv { .. } => Event::MpiIrecvRequest { request: u64::from(number) },
            Kind::Collective { .. } => return,
        };
        self.event(event);
        if let Event::MpiIsend { bytes, .. } = event {
            self.count_sent(1, bytes);
        }
    }

    /// Leaves a call that completes operations: the clock moves to when it can return, waits are charged, events
    /// written, the operations forgotten. Returns the result of the last one.
    fn finish(&mut self, frame: Frame, numbers: &[u32], rank: u32) -> Done {
        let here = self.current as u32;
        let mut leave = self.here().clock;
        let mut last = Done { at: leave, partner: None, earliest_end: leave, source: 0, tag: 0, bytes: 0 };
        for &number in numbers {
            if let Some(Operation { state: State::Done(done), .. }) = self.operation(here, number) {
                leave = leave.max(done.at);
                last = *done;
            }
        }
        let leave = frame.pinned_leave().unwrap_or(leave);
        let blocking = !frame.name.starts_with("MPI_Wait") && !frame.name.starts_with("MPI_Test");
        let mut waits: Vec<MessageWait> = Vec::new();
        let mut one = None;
        for &number in numbers {
            let Some(operation) = self.operation(here, number) else { continue };
            let State::Done(done) = operation.state else { continue };
            let (kind, group) = (operation.kind, operation.group);
            if operation.persistent {
                operation.state = State::Inactive;
            } else {
                let location = self.here();
                location.operations[number as usize] = None;
                location.free.push(number);
            }
            let wait = match kind {
                Kind::Send { to, tag, bytes, message, .. } => {
                    self.sent_event(blocking, &frame, Sent { to, tag, bytes, message, group }, leave);
                    match done.partner {
                        Some(posted) => late_receiver(posted, frame.enter, leave, group),
                        None => {
                            if leave > frame.enter {
                                let completed = CompletedSend {
                                    location: here,
                                    call: frame.name,
                                    call_path: self.here().call_path,
                                    enter: frame.enter,
                                    leave,
                                    communicator: group,
                                };
                                self.completed_sends.insert(message, completed);
                            }
                            continue;
                        }
                    }
                }
                Kind::Recv { .. } => {
                    self.here().clock = leave;
                    let (sender, communicator, tag, bytes) =
                        (done.source, CommunicatorRef(group), done.tag, done.bytes as u64);
                    self.event(if blocking {
                        Event::MpiRecv { sender, communicator, tag, bytes }
                    } else {
                        Event::MpiIrecv { sender, communicator, tag, bytes, request: u64::from(number) }
                    });
                    let sent = done.partner.unwrap_or(frame.enter);
                    late_sender(sent, done.source, frame.enter, leave, group)
                }
                Kind::Collective { call, .. } => {
                    self.finish_collective(&frame, &call, &done, group, rank, leave, blocking);
                    continue;
                }
            };
            if let Some(first) = one.replace(wait) {
                waits.push(first);
            }
        }
        if self.accounts {
            let path = self.here().call_path;
            let account = &mut self.here().account;
            match one {
                Some(wait) if waits.is_empty() => account.messages(frame.name, path, &[wait]),
                Some(wait) => {
                    waits.push(wait);
                    account.messages(frame.name, path, &waits);
                }
                None => {}
            }
        }
        self.here().clock = leave;
        self.leave(&frame);
        last
    }

    fn sent_event(&mut self, blocking: bool, frame: &Frame, sent: Sent, leave: u64) {
        let Sent { to, tag, bytes, message, group } = sent;
        if blocking {
            self.here().clock = frame.enter;
            let communicator = CommunicatorRef(group);
            self.event(Event::MpiSend { receiver: to as u32, communicator, tag, bytes: bytes as u64 });
            self.count_sent(1, bytes as u64);
        } else {
            self.here().clock = leave;
            self.event(Event::MpiIsendComplete { request: message });
        }
    }

    #[allow(clippy::too_many_arguments, reason = "the parts of one call, used once")]
    fn finish_collective(
        &mut self,
        frame: &Frame,
        call: &Call,
        done: &Done,
        group: u32,
        rank: u32,
        leave: u64,
        blocking: bool,
    ) {
        if blocking {
            self.here().clock = frame.enter;
            self.event(Event::MpiCollectiveBegin);
            self.here().clock = leave;
            let root = match call.shape {
                crate::collective::Shape::FromRoot(root) | crate::collective::Shape::ToRoot(root) => {
                    Some(root)
                }
                _ => None,
            };
            let (operation, communicator) = (call.operation, CommunicatorRef(group));
            let (sent, received) = (call.sent, call.received);
            self.event(Event::MpiCollectiveEnd { operation, communicator, root, sent, received });
            self.count_sent(0, sent);
        }
        if !self.accounts {
            return;
        }
        let (Some(cause), Some(partner)) = (call.cause(rank), done.partner) else { return };
        let analyzed = blocking && call.analyzed(self.groups[group as usize].members.len());
        let path = self.here().call_path;
        let account = &mut self.here().account;
        let reached = partner.min(leave);
        let blocked = Blocked { cause, ticks: reached.saturating_sub(frame.enter) };
        account.blocked(frame.name, path, group, blocked, analyzed);
        let completion = match cause {
            Cause::BarrierNotReached => Cause::BarrierNotLeft,
            Cause::AllToAllNotReached => Cause::AllToAllNotLeft,
            _ => return,
        };
        let ticks = leave.saturating_sub(done.earliest_end.max(reached).max(frame.enter));
        account.blocked(frame.name, path, group, Blocked { cause: completion, ticks }, analyzed);
    }
}

/// A send that is complete.
struct Sent {
    to: usize,
    tag: u32,
    bytes: usize,
    message: u64,
    group: u32,
}
