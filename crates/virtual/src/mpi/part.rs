//! A member's part of a collective operation (MPI 4.1, chapter 6).

use std::fmt;

use ats_model::Event;
use ats_model::event::{CollectiveOperation, CommunicatorRef};
use ats_model::mpi::{Collective, Flow, Form, Function};
use ats_mpi::Op;

use crate::kernel::time::Picoseconds;
use crate::mpi::rules::Cause;

/// The dependence of members on one another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// Every member waits for all.
    All,
    /// Every member waits for the root.
    FromRoot(u32),
    /// The root waits for all; a member that sends more than the eager limit waits for the root.
    ToRoot(u32),
    /// Every member waits for those of lower rank.
    Prefix,
    /// Every member waits for the neighbours that it receives from; each sends it so many bytes.
    Neighbors(u32),
}

/// A member's part of a collective operation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    pub(crate) function: Function,
    pub(crate) operation: CollectiveOperation,
    pub(crate) shape: Shape,
    pub(crate) sent: u64,
    pub(crate) received: u64,
    /// Colour and key of a split.
    pub(crate) split: Option<(Option<u32>, i32)>,
    /// The delay of its exit.
    pub(crate) delay: Picoseconds,
    /// Whether it goes on at once: it neither sends nor receives anything, where the others would.
    pub(crate) waits_for_nobody: bool,
}

impl Part {
    /// The part of rank `me` of `size` in `op`, which is collective.
    #[inline(always)]
    pub(crate) fn from_op(op: &Op, me: usize, size: usize) -> Self {
        // It carries nothing, and is what most programs call most.
        if matches!(op, Op::Barrier) {
            return Part::of_all(Function::Barrier);
        }
        Part::with_data(op, me, size)
    }

    #[inline(never)]
    fn with_data(op: &Op, me: usize, size: usize) -> Self {
        let part = op.part(me, size);
        if let Some(operation) = part.function.among_neighbors() {
            let bytes = u32::try_from(part.send.pieces.bytes(size)).unwrap_or(u32::MAX);
            return Part { operation, shape: Shape::Neighbors(bytes), ..Part::of_all(part.function) };
        }
        Part::moving(part.function, part.member.root, part.bytes(), me as u32)
    }

    /// The part of rank `me` in a call of `function` that sends and receives so many bytes.
    pub(crate) fn moving(
        function: Function,
        root: Option<u32>,
        (sent, received): (u64, u64),
        me: u32,
    ) -> Self {
        if let Some(operation) = function.among_neighbors() {
            let bytes = u32::try_from(sent).unwrap_or(u32::MAX);
            return Part { operation, shape: Shape::Neighbors(bytes), ..Part::of_all(function) };
        }
        let Some(collective) = function.collective() else { return Part::of_all(function) };
        let shape = match (collective.flow, root) {
            (Flow::OneToAll, Some(root)) => Shape::FromRoot(root),
            (Flow::AllToOne, Some(root)) => Shape::ToRoot(root),
            (Flow::Prefix, _) => Shape::Prefix,
            (_, _) => Shape::All,
        };
        let is_root_of_all = shape == Shape::FromRoot(me);
        let waits_for_nobody = sent + received == 0
            && !matches!(collective.flow, Flow::Barrier | Flow::Management)
            && !is_root_of_all;
        let operation = collective.operation;
        Part { function, operation, shape, sent, received, split: None, delay: 0, waits_for_nobody }
    }

    /// The same part, in another form of its function.
    pub(crate) fn in_form(self, form: Form) -> Option<Self> {
        Some(Part { function: self.function.in_form(form)?, ..self })
    }

    /// A member's part of a call that moves no data, in which every member waits for all.
    pub(crate) fn of_all(function: Function) -> Self {
        let operation = function.operation().unwrap_or(CollectiveOperation::Other);
        Part {
            function,
            operation,
            shape: Shape::All,
            sent: 0,
            received: 0,
            split: None,
            delay: 0,
            waits_for_nobody: false,
        }
    }

    /// A member's part of `MPI_Comm_split`, or of `MPI_Comm_dup` and `MPI_Comm_create` with one colour for all.
    pub(crate) fn split(function: Function, color: Option<u32>, key: i32) -> Self {
        Part { split: Some((color, key)), ..Part::of_all(function) }
    }

    /// A rank's part of `MPI_Init` or `MPI_Init_thread`.
    pub(crate) fn init(function: Function) -> Self {
        Part::of_all(function)
    }

    /// A rank's part of `MPI_Finalize`.
    pub(crate) fn finalize() -> Self {
        Part::of_all(Function::Finalize)
    }

    /// Bytes that go from one member to another, as far as this member knows.
    pub(crate) fn block_bytes(&self, size: usize) -> usize {
        let bytes = match self.shape {
            Shape::FromRoot(_) => self.received,
            Shape::ToRoot(_) => self.sent,
            Shape::All => self.sent.max(self.received) / size as u64,
            Shape::Prefix => (self.sent + self.received) / size as u64,
            Shape::Neighbors(bytes) => u64::from(bytes),
        };
        bytes as usize
    }

    /// The event of its end.
    pub(crate) fn end(&self, communicator: CommunicatorRef) -> Event {
        let &Part { operation, sent, received, .. } = self;
        Event::MpiCollectiveEnd { operation, communicator, root: self.root(), sent, received }
    }

    /// The event of its completion, if it has a request.
    pub(crate) fn complete(&self, communicator: CommunicatorRef, request: u64) -> Event {
        let &Part { operation, sent, received, .. } = self;
        let (root, sent, received) = (self.root().into(), sent.into(), received.into());
        Event::NonBlockingCollectiveComplete { operation, communicator, root, sent, received, request }
    }

    /// Its root, if it has one.
    pub(crate) fn root(&self) -> Option<u32> {
        match self.shape {
            Shape::FromRoot(root) | Shape::ToRoot(root) => Some(root),
            Shape::All | Shape::Prefix | Shape::Neighbors(_) => None,
        }
    }

    /// The cause that blocks rank `me` in it until the partner comes; `None` if it never is.
    pub(crate) fn cause(&self, me: u32) -> Option<Cause> {
        match self.shape {
            _ if self.waits_for_nobody => None,
            Shape::All if self.operation == CollectiveOperation::Barrier => Some(Cause::BarrierNotReached),
            Shape::All if self.is_irregular() => Some(Cause::IrregularNotReached),
            Shape::All => Some(Cause::AllToAllNotReached),
            Shape::FromRoot(root) => (me != root).then_some(Cause::RootNotReached),
            Shape::ToRoot(root) if me == root => Some(Cause::SenderNotReached),
            Shape::ToRoot(_) => Some(Cause::ReceiverNotReached),
            Shape::Prefix => Some(Cause::LowerRankNotReached),
            Shape::Neighbors(_) => Some(Cause::NeighborNotReached),
        }
    }

    /// Whether it is an operation between neighbours. Their bytes are not counted, since OTF2 has no record of them.
    pub(crate) fn is_among_neighbors(&self) -> bool {
        matches!(self.shape, Shape::Neighbors(_))
    }

    fn is_irregular(&self) -> bool {
        Collective::from_operation(self.operation)
            .is_some_and(|collective| collective.flow == Flow::Irregular)
    }

    /// Whether a metric counts waits in it: not in a communicator of one, nor without payload where the operation is one
    /// on data.
    pub(crate) fn is_analyzed(&self, size: usize) -> bool {
        use CollectiveOperation::{Barrier, CreateHandle, DestroyHandle};
        let without_payload =
            self.is_among_neighbors() || matches!(self.operation, Barrier | CreateHandle | DestroyHandle);
        (without_payload || self.sent + self.received > 0) && size > 1
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.root() {
            Some(root) => write!(f, "{} with root {root}", self.function),
            None => self.function.fmt(f),
        }
    }
}
