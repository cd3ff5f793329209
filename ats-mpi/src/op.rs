//! MPI's calls as data: one [`Op`] serves the blocking, the non-blocking and the persistent call of its name.

use ats_model::mpi::{Form, Function, SendMode};

use crate::{Counts, MpiBuf, MpiVBuf};

/// Whom a receive takes a message from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// This rank of the communicator.
    Rank(usize),
    /// Any source (`MPI_ANY_SOURCE`).
    Any,
}

/// The tag that a receive asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tag {
    /// This tag.
    Is(u32),
    /// Any tag (`MPI_ANY_TAG`).
    Any,
}

/// A reduction of MPI.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "as MPI_SUM, MPI_MIN, MPI_MAX")]
pub enum ReduceOp {
    Sum,
    Min,
    Max,
}

/// A communication call. Ranks and roots count in the communicator it is made on.
///
/// Where a collective takes a buffer that only the root has, it is an `Option`: `Some` at the root.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the arguments of the MPI call of the variant's name")]
pub enum Op {
    Send {
        mode: SendMode,
        to: usize,
        tag: u32,
        buf: MpiBuf,
    },
    Recv {
        from: Source,
        tag: Tag,
        buf: MpiBuf,
    },
    Sendrecv {
        to: usize,
        send_tag: u32,
        send: MpiBuf,
        from: Source,
        recv_tag: Tag,
        recv: MpiBuf,
    },
    Barrier,
    Bcast {
        root: usize,
        buf: MpiBuf,
    },
    /// `send` holds one block of `recv`'s size per rank.
    Scatter {
        root: usize,
        send: Option<MpiBuf>,
        recv: MpiBuf,
    },
    Scatterv {
        root: usize,
        buf: MpiVBuf,
    },
    /// `recv` holds one block of `send`'s size per rank.
    Gather {
        root: usize,
        send: MpiBuf,
        recv: Option<MpiBuf>,
    },
    Gatherv {
        root: usize,
        buf: MpiVBuf,
    },
    Reduce {
        root: usize,
        op: ReduceOp,
        send: MpiBuf,
        recv: Option<MpiBuf>,
    },
    Allreduce {
        op: ReduceOp,
        send: MpiBuf,
        recv: MpiBuf,
    },
    Allgather {
        send: MpiBuf,
        recv: MpiBuf,
    },
    /// Rank i contributes `counts[i]` elements.
    Allgatherv {
        send: MpiBuf,
        recv: MpiBuf,
        counts: Counts,
    },
    /// Both buffers hold one block per rank.
    Alltoall {
        send: MpiBuf,
        recv: MpiBuf,
    },
    /// `send_counts[j]` elements go to rank j, `recv_counts[i]` come from rank i, all densely packed.
    Alltoallv {
        send: MpiBuf,
        send_counts: Counts,
        recv: MpiBuf,
        recv_counts: Counts,
    },
    /// As [`Op::Alltoallv`]. The type for every rank is the buffer's.
    Alltoallw {
        send: MpiBuf,
        send_counts: Counts,
        recv: MpiBuf,
        recv_counts: Counts,
    },
    /// Rank i receives `counts[i]` elements.
    ReduceScatter {
        op: ReduceOp,
        send: MpiBuf,
        recv: MpiBuf,
        counts: Counts,
    },
    ReduceScatterBlock {
        op: ReduceOp,
        send: MpiBuf,
        recv: MpiBuf,
    },
    Scan {
        op: ReduceOp,
        send: MpiBuf,
        recv: MpiBuf,
    },
    Exscan {
        op: ReduceOp,
        send: MpiBuf,
        recv: MpiBuf,
    },
    /// `count` elements go to each neighbour and come from each, densely packed in the order of the topology.
    NeighborAlltoall {
        send: MpiBuf,
        recv: MpiBuf,
        count: usize,
    },
}

impl Op {
    /// The MPI function of the blocking call.
    pub fn function(&self) -> Function {
        match self {
            Op::Send { mode: SendMode::Standard, .. } => Function::Send,
            Op::Send { mode: SendMode::Synchronous, .. } => Function::Ssend,
            Op::Send { mode: SendMode::Buffered, .. } => Function::Bsend,
            Op::Send { mode: SendMode::Ready, .. } => Function::Rsend,
            Op::Recv { .. } => Function::Recv,
            Op::Sendrecv { .. } => Function::Sendrecv,
            Op::Barrier => Function::Barrier,
            Op::Bcast { .. } => Function::Bcast,
            Op::Scatter { .. } => Function::Scatter,
            Op::Scatterv { .. } => Function::Scatterv,
            Op::Gather { .. } => Function::Gather,
            Op::Gatherv { .. } => Function::Gatherv,
            Op::Reduce { .. } => Function::Reduce,
            Op::Allreduce { .. } => Function::Allreduce,
            Op::Allgather { .. } => Function::Allgather,
            Op::Allgatherv { .. } => Function::Allgatherv,
            Op::Alltoall { .. } => Function::Alltoall,
            Op::Alltoallv { .. } => Function::Alltoallv,
            Op::Alltoallw { .. } => Function::Alltoallw,
            Op::ReduceScatter { .. } => Function::Reduce_scatter,
            Op::ReduceScatterBlock { .. } => Function::Reduce_scatter_block,
            Op::Scan { .. } => Function::Scan,
            Op::Exscan { .. } => Function::Exscan,
            Op::NeighborAlltoall { .. } => Function::Neighbor_alltoall,
        }
    }

    /// The operator that combines values, if they are combined.
    pub fn reduction(&self) -> Option<ReduceOp> {
        match self {
            Op::Reduce { op, .. }
            | Op::Allreduce { op, .. }
            | Op::ReduceScatter { op, .. }
            | Op::ReduceScatterBlock { op, .. }
            | Op::Scan { op, .. }
            | Op::Exscan { op, .. } => Some(*op),
            _ => None,
        }
    }

    /// The MPI function that prepares a persistent request; there is none for a send-receive.
    pub fn init_function(&self) -> Option<Function> {
        self.function().in_form(Form::Persistent)
    }
}
