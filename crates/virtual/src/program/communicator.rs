//! The communicator of a virtual rank: a plain id.

mod making;
mod packing;
mod persistent;
pub(crate) mod recorded;

use ats_model::Event;
use ats_model::event::CommunicatorRef;
use ats_model::mpi::{Form, Function};
use ats_mpi::{
    BaseComm, Column, Communicator, Completion, DerivedType, Dimension, How, Matched, Memory, MpiBuf, Op,
    Outcome, Request, SendMode, Source, Status, Tag,
};

use crate::kernel::state::Kernel;
use crate::kernel::time::{Picoseconds, picoseconds};
use crate::mpi::call::{self, Frame};
use crate::mpi::operation::{Operation, OperationKind, Progress, Received};
use crate::mpi::part::Part;
use crate::mpi::state::Mpi;
use crate::program::{probes, requests};
use crate::world::{in_order, kernel, mpi, pause};
use packing::{Vector, packing};

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

    /// `MPI_Init`: takes no time, since all begin at once.
    pub(crate) fn init_call(&self) {
        self.pass(Function::Init);
    }

    /// A call of all members in which none waits for another.
    fn pass(&self, function: Function) {
        mpi(|mpi, kernel| {
            let frame = call::enter(mpi, kernel, function);
            if kernel.sink.is_some() {
                kernel.event(Event::MpiCollectiveBegin);
                kernel.event(Part::of_all(function).end(CommunicatorRef(self.group)));
            }
            call::leave(mpi, kernel, &frame);
        });
    }

    /// `MPI_Init_thread`: waits for all.
    pub(crate) fn init_thread(&self) {
        self.call_collective(&Part::init(Function::Init_thread));
    }

    /// `MPI_Finalize`: waits for all.
    pub(crate) fn finalize(&self) {
        self.call_collective(&Part::finalize());
    }

    /// The kind of an operation with a request, and this member's part of it if it is collective.
    fn kind(&self, op: &Op, form: Form) -> (OperationKind, Option<Part>) {
        match op {
            Op::Send { mode, to, tag, buf } => {
                self.check_rank(*to, op);
                (Self::send(*mode, *to, *tag, buf), None)
            }
            Op::Recv { from, tag, buf } => {
                self.check_source(*from, op);
                (OperationKind::Recv { from: *from, tag: *tag, capacity: buf.bytes() }, None)
            }
            Op::Sendrecv { .. } => misuse("there is no non-blocking or persistent MPI_Sendrecv".to_owned()),
            _ => {
                let part = self.part(op);
                (self.collective(&part), part.in_form(form))
            }
        }
    }

    /// Keeps an operation with a request.
    fn request(
        &self,
        kind: OperationKind,
        part: Option<Part>,
        persistent: bool,
        packing: Picoseconds,
    ) -> u32 {
        let number = self.keep(kind, persistent, packing);
        if let Some(part) = part {
            mpi(|mpi, kernel| mpi.here(kernel).parts.insert(number, part));
        }
        number
    }

    /// Starts it in a call, which then returns.
    fn start_request(&self, number: u32, kind: &OperationKind, part: Option<&Part>, frame: &Frame) {
        if part.is_none() {
            mpi(|mpi, kernel| mpi.begin_start(kernel, number));
        }
        self.start_kept(number, kind, part, frame);
        mpi(|mpi, kernel| {
            if part.is_some() {
                mpi.leave_collective(kernel, self.group);
            }
            mpi.leave_started(kernel, frame, number);
        });
    }

    fn send(mode: SendMode, to: usize, tag: u32, buf: &MpiBuf) -> OperationKind {
        OperationKind::Send { mode, to: to as u32, tag, bytes: buf.bytes(), message: 0 }
    }

    #[inline(always)]
    fn part(&self, op: &Op) -> Part {
        let part = Part::from_op(op, self.rank as usize, self.size as usize);
        if let Some(root) = part.root() {
            self.check_rank(root as usize, op);
        }
        if part.is_among_neighbors() {
            self.check_topology(op);
        }
        part
    }

    fn collective(&self, part: &Part) -> OperationKind {
        OperationKind::Collective { instance: 0, cause: part.cause(self.rank) }
    }

    fn check_source(&self, from: Source, op: &Op) {
        if let Source::Rank(from) = from {
            self.check_rank(from, op);
        }
    }

    fn check_rank(&self, rank: usize, op: &Op) {
        if rank >= self.size as usize {
            misuse(format!("{} names rank {rank} of a communicator of {} ranks", op.function(), self.size));
        }
    }

    fn operation(&self, kind: OperationKind, persistent: bool) -> Operation {
        let (start, progress) = (None, Progress::Inactive);
        let (group, awaited_by, partitioned) = (self.group, None, false);
        Operation { kind, group, awaited_by, persistent, partitioned, start, packing: 0, progress }
    }

    fn keep(&self, kind: OperationKind, persistent: bool, packing: Picoseconds) -> u32 {
        let operation = Operation { packing, ..self.operation(kind, persistent) };
        mpi(|mpi, kernel| mpi.here(kernel).operations.keep(operation))
    }

    /// The source that a call receives from: the one that a real run matched, where it was left open. A receive that the
    /// run has not completed has none.
    fn matched(&self, from: Source, frame: &Frame) -> Source {
        match requests::outcome(frame, from.choice()) {
            Some(Outcome::Matched(Some(source))) if source < self.size as usize => Source::Rank(source),
            Some(Outcome::Matched(Some(source))) => {
                requests::misfit(frame, &format!("has a message from rank {source} of {}", self.size))
            }
            _ => from,
        }
    }

    /// The same in a call that returns with a message.
    fn matched_now(&self, from: Source, frame: &Frame) -> Source {
        let matched = self.matched(from, frame);
        if frame.is_pinned() && matched == Source::Any {
            requests::misfit(frame, "has no source, where the program receives from any");
        }
        matched
    }

    /// Starts a kept operation, in the order of time where that matters.
    fn start_kept(&self, number: u32, kind: &OperationKind, part: Option<&Part>, frame: &Frame) {
        let kind = &match *kind {
            OperationKind::Recv { from, tag, capacity } => {
                OperationKind::Recv { from: self.matched(from, frame), tag, capacity }
            }
            kind => kind,
        };
        let start = |mpi: &mut Mpi, kernel: &mut Kernel<'_>| {
            mpi.start(kernel, number, kind, part, frame.pinned_leave());
            kernel.failure.is_some()
        };
        let started = mpi(|mpi, kernel| {
            if !mpi.is_ordered(kernel, kind) {
                return Some(start(mpi, kernel));
            }
            if let Some(part) = part {
                mpi.enter_collective(kernel, self.group, part.function);
            }
            None
        });
        let failed = started.unwrap_or_else(|| {
            in_order();
            mpi(start)
        });
        if failed {
            pause();
        }
    }

    /// A blocking call of one operation, which `start` starts. Many need no other process, so this is done in one go
    /// as far as it gets.
    ///
    /// Compiled into each kind of call: an operation is then written at once where it is kept. Copying it there as soon as
    /// it is put together elsewhere would make the processor wait for its parts.
    #[inline(always)]
    fn call_one(
        &self,
        function: Function,
        kind: OperationKind,
        part: Option<&Part>,
        start: impl FnOnce(&mut Mpi, &mut Kernel<'_>, &Frame, u32),
    ) -> Received {
        let begun = mpi(|mpi, kernel| {
            let frame = call::enter(mpi, kernel, function);
            let number = mpi.here(kernel).operations.keep(self.operation(kind, false));
            if mpi.starts_in_order(kernel) {
                return Err((frame, number, false));
            }
            start(mpi, kernel, &frame, number);
            if kernel.failure.is_some() || mpi.awaits(kernel, &[number]) {
                return Err((frame, number, true));
            }
            Ok(mpi.finish_one(kernel, &frame, number, part))
        });
        begun.unwrap_or_else(|(frame, number, is_started)| {
            if !is_started {
                return self.call_in_turn(&frame, number, part);
            }
            pause();
            mpi(|mpi, kernel| mpi.finish_one(kernel, &frame, number, part))
        })
    }

    /// The rest of a blocking call whose operation is kept, and has to be started in the order of time.
    #[inline(never)]
    fn call_in_turn(&self, frame: &Frame, number: u32, part: Option<&Part>) -> Received {
        let kind = mpi(|mpi, kernel| Some(mpi.here(kernel).operations.get_mut(number)?.kind));
        if let Some(kind) = kind {
            self.start_kept(number, &kind, part, frame);
        }
        requests::await_all(&[number]);
        mpi(|mpi, kernel| {
            if part.is_some() {
                mpi.leave_collective(kernel, self.group);
            }
            mpi.finish_one(kernel, frame, number, part)
        })
    }

    /// A blocking receive from a source that may have to be started in the order of time.
    #[inline(never)]
    fn call_recv_in_order(&self, from: Source, tag: Tag, capacity: usize) -> Received {
        let frame = requests::enter(Function::Recv);
        let kind = OperationKind::Recv { from: self.matched_now(from, &frame), tag, capacity };
        let number = self.keep(kind, false, 0);
        self.call_in_turn(&frame, number, None)
    }

    /// A member's part of a blocking collective operation.
    #[inline(always)]
    fn call_collective(&self, part: &Part) -> Received {
        self.call_one(part.function, self.collective(part), Some(part), |mpi, kernel, frame, number| {
            mpi.start_collective(kernel, number, part, frame.pinned_leave());
        })
    }

    /// Not inlined: its frame would make that of every call larger, and each rank has its own stack to keep in the cache.
    #[inline(never)]
    fn call_sendrecv(&self, op: &Op) -> Received {
        let frame = requests::enter(op.function());
        let Op::Sendrecv { to, send_tag, send, from, recv_tag, recv } = op.clone() else {
            unreachable!("checked by the caller")
        };
        let send = Op::Send { mode: SendMode::Standard, to, tag: send_tag, buf: send };
        let recv = Op::Recv { from: self.matched_now(from, &frame), tag: recv_tag, buf: recv };
        let numbers = [send, recv].map(|half| {
            let kind = self.kind(&half, Form::Blocking).0;
            let number = self.keep(kind, false, packing(&half));
            self.start_kept(number, &kind, None, &frame);
            number
        });
        requests::await_all(&numbers);
        mpi(|mpi, kernel| mpi.finish(kernel, &frame, &numbers, false))
    }
}

/// Ends the simulation: the program breaks a rule of MPI.
fn misuse(message: String) -> ! {
    let misuse = kernel(|kernel| kernel.misuse(message));
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

    fn derive(&self, _: &Column) -> DerivedType {
        Box::new(Vector::new())
    }

    fn base_comm(&self) -> BaseComm {
        mpi(|mpi, kernel| mpi.processes[kernel.rank()].base)
    }

    fn set_base_comm(&self, base: BaseComm) {
        mpi(|mpi, kernel| mpi.processes[kernel.rank()].base = base);
    }

    fn eager_limit(&self) -> usize {
        mpi(|mpi, _| mpi.costs.eager_limit)
    }

    fn call(&self, op: Op) -> Status {
        let function = op.function();
        let received = match &op {
            Op::Sendrecv { .. } => self.call_sendrecv(&op),
            Op::Send { buf, .. } | Op::Recv { buf, .. } if buf.column().is_some() => self.call_packing(&op),
            Op::Send { mode, to, tag, buf } => {
                self.check_rank(*to, &op);
                let kind = Self::send(*mode, *to, *tag, buf);
                self.call_one(function, kind, None, |mpi, kernel, _, number| mpi.start_send(kernel, number))
            }
            Op::Recv { from, tag, buf } => {
                self.check_source(*from, &op);
                let (from, tag, capacity) = (*from, *tag, buf.bytes());
                if requests::is_ordered(from) {
                    self.call_recv_in_order(from, tag, capacity)
                } else {
                    let kind = OperationKind::Recv { from, tag, capacity };
                    self.call_one(function, kind, None, |mpi, kernel, _, number| {
                        mpi.start_recv(kernel, number, from);
                    })
                }
            }
            _ => self.call_collective(&self.part(&op)),
        };
        requests::status(received)
    }

    fn start(&self, op: Op) -> Request {
        let Some(function) = op.function().in_form(Form::Nonblocking) else {
            misuse(format!("{} has no non-blocking form", op.function()));
        };
        let frame = requests::enter(function);
        let (kind, part) = self.kind(&op, Form::Nonblocking);
        let number = self.request(kind, part, false, packing(&op));
        self.start_request(number, &kind, part.as_ref(), &frame);
        Request(u64::from(number))
    }

    fn init(&self, op: Op) -> Request {
        self.prepared(&op)
    }

    fn init_partitioned(&self, op: Op, partitions: usize) -> Request {
        self.prepared_in(&op, partitions)
    }

    fn pready(&self, request: &Request, partition: usize) {
        self.ready(request.0 as u32, partition);
    }

    fn restart(&self, request: &Request) {
        self.started_again(request.0 as u32);
    }

    fn complete(&self, how: How, requests: &mut Vec<Request>) -> Completion {
        requests::complete(how, requests)
    }

    fn probe(&self, from: Source, tag: Tag) -> Status {
        let frame = requests::enter(Function::Probe);
        probes::probe(&frame, self.group, self.matched_now(from, &frame), tag)
    }

    fn iprobe(&self, from: Source, tag: Tag) -> Option<Status> {
        let frame = requests::enter(Function::Iprobe);
        let found = match requests::outcome(&frame, Some(from.choice_of_iprobe())) {
            Some(Outcome::Matched(None) | Outcome::Flag(false)) => None,
            Some(_) => Some(probes::await_message(self.group, self.matched_now(from, &frame), tag).1),
            None => probes::look(self.group, from, tag),
        };
        mpi(|mpi, kernel| call::leave(mpi, kernel, &frame));
        found
    }

    fn mprobe(&self, from: Source, tag: Tag) -> Matched {
        let frame = requests::enter(Function::Mprobe);
        probes::mprobe(&frame, self.group, self.matched_now(from, &frame), tag)
    }

    fn mrecv(&self, Matched { status, handle }: Matched, buf: &MpiBuf) -> Status {
        let frame = requests::enter(Function::Mrecv);
        let (from, tag) = (Source::Rank(status.source), Tag::Is(status.tag));
        let kind = OperationKind::Recv { from, tag, capacity: buf.bytes() };
        let number = self.keep(kind, false, packing(&Op::Recv { from, tag, buf: buf.clone() }));
        requests::status(probes::receive(&frame, number, handle))
    }

    fn split(&self, color: Option<u32>, key: i32) -> Option<Box<dyn Communicator>> {
        self.split_by(Function::Comm_split, color, key)
    }

    fn dup(&self) -> Box<dyn Communicator> {
        self.copied_by(Function::Comm_dup, self.neighbors())
    }

    fn create(&self, ranks: &[usize]) -> Option<Box<dyn Communicator>> {
        let own = self.rank_among(ranks);
        self.split_by(Function::Comm_create, own.map(|_| 0), own.unwrap_or_default())
    }

    fn cart(&self, grid: &[Dimension]) -> Option<Box<dyn Communicator>> {
        self.grid_of(grid)
    }

    fn dist_graph(&self, sources: &[usize], destinations: &[usize]) -> Box<dyn Communicator> {
        self.graph_of(sources, destinations)
    }

    fn free(self: Box<Self>) {
        self.pass(Function::Comm_free);
    }

    fn call_delayed(&self, op: Op, delay: f64) {
        if op.function().collective().is_none() {
            misuse(format!("{} is not collective, so it is left when it can be", op.function()));
        }
        self.call_collective(&Part { delay: picoseconds(delay), ..self.part(&op) });
    }
}
