//! MPI's calls as data: one [`Op`] serves the blocking, the non-blocking and the persistent call of its name.

use crate::{MpiBuf, MpiVBuf};

/// How a send relates to its receive (MPI 4.1, section 3.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SendMode {
    /// `MPI_Send`: the library decides.
    Standard,
    /// `MPI_Ssend`: not before the receive has started.
    Synchronous,
    /// `MPI_Bsend`: at once, through a buffer.
    Buffered,
    /// `MPI_Rsend`: only if the receive is posted already.
    Ready,
}

/// Whom a receive takes a message from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// This rank of the communicator.
    Rank(usize),
    /// `MPI_ANY_SOURCE`.
    Any,
}

/// Which tag a receive asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tag {
    /// This tag.
    Is(u32),
    /// `MPI_ANY_TAG`.
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
        counts: Vec<usize>,
    },
    /// Both buffers hold one block per rank.
    Alltoall {
        send: MpiBuf,
        recv: MpiBuf,
    },
    /// `send_counts[j]` elements go to rank j, `recv_counts[i]` come from rank i, all densely packed.
    Alltoallv {
        send: MpiBuf,
        send_counts: Vec<usize>,
        recv: MpiBuf,
        recv_counts: Vec<usize>,
    },
    /// Rank i receives `counts[i]` elements.
    ReduceScatter {
        op: ReduceOp,
        send: MpiBuf,
        recv: MpiBuf,
        counts: Vec<usize>,
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
}

impl Op {
    /// The name of the blocking MPI call.
    pub fn blocking_name(&self) -> &'static str {
        match self {
            Op::Send { mode: SendMode::Standard, .. } => "MPI_Send",
            Op::Send { mode: SendMode::Synchronous, .. } => "MPI_Ssend",
            Op::Send { mode: SendMode::Buffered, .. } => "MPI_Bsend",
            Op::Send { mode: SendMode::Ready, .. } => "MPI_Rsend",
            Op::Recv { .. } => "MPI_Recv",
            Op::Sendrecv { .. } => "MPI_Sendrecv",
            Op::Barrier => "MPI_Barrier",
            Op::Bcast { .. } => "MPI_Bcast",
            Op::Scatter { .. } => "MPI_Scatter",
            Op::Scatterv { .. } => "MPI_Scatterv",
            Op::Gather { .. } => "MPI_Gather",
            Op::Gatherv { .. } => "MPI_Gatherv",
            Op::Reduce { .. } => "MPI_Reduce",
            Op::Allreduce { .. } => "MPI_Allreduce",
            Op::Allgather { .. } => "MPI_Allgather",
            Op::Allgatherv { .. } => "MPI_Allgatherv",
            Op::Alltoall { .. } => "MPI_Alltoall",
            Op::Alltoallv { .. } => "MPI_Alltoallv",
            Op::ReduceScatter { .. } => "MPI_Reduce_scatter",
            Op::ReduceScatterBlock { .. } => "MPI_Reduce_scatter_block",
            Op::Scan { .. } => "MPI_Scan",
            Op::Exscan { .. } => "MPI_Exscan",
        }
    }

    /// The name of the non-blocking MPI call.
    pub fn nonblocking_name(&self) -> &'static str {
        match self {
            Op::Send { mode: SendMode::Standard, .. } => "MPI_Isend",
            Op::Send { mode: SendMode::Synchronous, .. } => "MPI_Issend",
            Op::Send { mode: SendMode::Buffered, .. } => "MPI_Ibsend",
            Op::Send { mode: SendMode::Ready, .. } => "MPI_Irsend",
            Op::Recv { .. } => "MPI_Irecv",
            Op::Sendrecv { .. } => "MPI_Isendrecv",
            Op::Barrier => "MPI_Ibarrier",
            Op::Bcast { .. } => "MPI_Ibcast",
            Op::Scatter { .. } => "MPI_Iscatter",
            Op::Scatterv { .. } => "MPI_Iscatterv",
            Op::Gather { .. } => "MPI_Igather",
            Op::Gatherv { .. } => "MPI_Igatherv",
            Op::Reduce { .. } => "MPI_Ireduce",
            Op::Allreduce { .. } => "MPI_Iallreduce",
            Op::Allgather { .. } => "MPI_Iallgather",
            Op::Allgatherv { .. } => "MPI_Iallgatherv",
            Op::Alltoall { .. } => "MPI_Ialltoall",
            Op::Alltoallv { .. } => "MPI_Ialltoallv",
            Op::ReduceScatter { .. } => "MPI_Ireduce_scatter",
            Op::ReduceScatterBlock { .. } => "MPI_Ireduce_scatter_block",
            Op::Scan { .. } => "MPI_Iscan",
            Op::Exscan { .. } => "MPI_Iexscan",
        }
    }

    /// The name of the call that prepares a persistent request, for the calls that have one since MPI 1.
    pub fn init_name(&self) -> Option<&'static str> {
        match self {
            Op::Send { mode: SendMode::Standard, .. } => Some("MPI_Send_init"),
            Op::Send { mode: SendMode::Synchronous, .. } => Some("MPI_Ssend_init"),
            Op::Send { mode: SendMode::Buffered, .. } => Some("MPI_Bsend_init"),
            Op::Send { mode: SendMode::Ready, .. } => Some("MPI_Rsend_init"),
            Op::Recv { .. } => Some("MPI_Recv_init"),
            _ => None,
        }
    }
}
