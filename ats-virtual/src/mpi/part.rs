//! A member's part of a collective operation (MPI 4.1, chapter 6).

use std::fmt;

use ats_model::event::CollectiveOperation;
use ats_mpi::{MpiBuf, Op};

use crate::mpi::rules::Cause;

/// How members depend on one another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// Nobody leaves before all have come.
    All,
    /// Nobody leaves before the root has come.
    FromRoot(u32),
    /// The root does not leave before all have come.
    ToRoot(u32),
    /// Nobody leaves before those of lower rank have come.
    Prefix,
}

/// A member's part of a collective operation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    pub(crate) name: &'static str,
    pub(crate) operation: CollectiveOperation,
    pub(crate) shape: Shape,
    pub(crate) sent: u64,
    pub(crate) received: u64,
    /// Colour and key of a split.
    pub(crate) split: Option<(Option<u32>, i32)>,
}

impl Part {
    /// What rank `me` of `size` does in `op`, which is collective. Bytes count as Score-P counts them.
    pub(crate) fn of(op: &Op, me: usize, size: usize) -> Self {
        use CollectiveOperation as Is;
        let at_root = |root: usize, bytes: usize| if me == root { bytes } else { 0 };
        let sum = |counts: &[usize], buf: &MpiBuf| buf.datatype().bytes(counts.iter().sum());
        let (operation, shape, sent, received) = match op {
            Op::Send { .. } | Op::Recv { .. } | Op::Sendrecv { .. } => unreachable!("not collective"),
            Op::Barrier => (Is::Barrier, Shape::All, 0, 0),
            Op::Bcast { root, buf } => {
                (Is::Bcast, Shape::FromRoot(*root as u32), at_root(*root, size * buf.bytes()), buf.bytes())
            }
            Op::Scatter { root, recv, .. } => (
                Is::Scatter,
                Shape::FromRoot(*root as u32),
                at_root(*root, size * recv.bytes()),
                recv.bytes(),
            ),
            Op::Scatterv { root, buf } => {
                let all = at_root(*root, sum(&buf.counts, &buf.own));
                (Is::Scatterv, Shape::FromRoot(*root as u32), all, buf.own.bytes())
            }
            Op::Gather { root, send, .. } => {
                (Is::Gather, Shape::ToRoot(*root as u32), send.bytes(), at_root(*root, size * send.bytes()))
            }
            Op::Gatherv { root, buf } => {
                let all = at_root(*root, sum(&buf.counts, &buf.own));
                (Is::Gatherv, Shape::ToRoot(*root as u32), buf.own.bytes(), all)
            }
            Op::Reduce { root, send, .. } => {
                (Is::Reduce, Shape::ToRoot(*root as u32), send.bytes(), at_root(*root, size * send.bytes()))
            }
            Op::Allreduce { send, .. } => {
                (Is::Allreduce, Shape::All, size * send.bytes(), size * send.bytes())
            }
            Op::Allgather { send, .. } => {
                (Is::Allgather, Shape::All, size * send.bytes(), size * send.bytes())
            }
            Op::Allgatherv { send, counts, .. } => {
                (Is::Allgatherv, Shape::All, size * send.bytes(), sum(counts, send))
            }
            Op::Alltoall { send, .. } => {
                let all = send.datatype().bytes(send.count() / size * size);
                (Is::Alltoall, Shape::All, all, all)
            }
            Op::Alltoallv { send, send_counts, recv, recv_counts } => {
                (Is::Alltoallv, Shape::All, sum(send_counts, send), sum(recv_counts, recv))
            }
            Op::ReduceScatter { send, counts, .. } => {
                let own = send.datatype().bytes(counts.get(me).copied().unwrap_or(0));
                (Is::ReduceScatter, Shape::All, sum(counts, send), size * own)
            }
            Op::ReduceScatterBlock { recv, .. } => {
                (Is::ReduceScatterBlock, Shape::All, size * recv.bytes(), size * recv.bytes())
            }
            Op::Scan { send, .. } => {
                (Is::Scan, Shape::Prefix, (size - me) * send.bytes(), (me + 1) * send.bytes())
            }
            Op::Exscan { send, .. } => {
                (Is::Exscan, Shape::Prefix, (size - me - 1) * send.bytes(), me * send.bytes())
            }
        };
        let (sent, received) = (sent as u64, received as u64);
        Part { name: op.blocking_name(), operation, shape, sent, received, split: None }
    }

    /// A member's part of `MPI_Comm_split`, or of `MPI_Comm_dup` with one colour for all.
    pub(crate) fn split(name: &'static str, color: Option<u32>, key: i32) -> Self {
        let operation = CollectiveOperation::CreateHandle;
        Part { name, operation, shape: Shape::All, sent: 0, received: 0, split: Some((color, key)) }
    }

    /// A rank's part of `MPI_Finalize`, which nobody leaves before all have come.
    pub(crate) fn finalize() -> Self {
        let operation = CollectiveOperation::DestroyHandle;
        Part { name: "MPI_Finalize", operation, shape: Shape::All, sent: 0, received: 0, split: None }
    }

    /// Bytes that go from one member to another, as far as this member knows.
    pub(crate) fn block_bytes(&self, size: usize) -> usize {
        let bytes = match self.shape {
            Shape::FromRoot(_) => self.received,
            Shape::ToRoot(_) => self.sent,
            Shape::All => self.sent.max(self.received) / size as u64,
            Shape::Prefix => (self.sent + self.received) / size as u64,
        };
        bytes as usize
    }

    /// Its root, if it has one.
    pub(crate) fn root(&self) -> Option<u32> {
        match self.shape {
            Shape::FromRoot(root) | Shape::ToRoot(root) => Some(root),
            Shape::All | Shape::Prefix => None,
        }
    }

    /// Why rank `me` is blocked in it until the partner comes; none where it never is.
    pub(crate) fn cause(&self, me: u32) -> Option<Cause> {
        match self.shape {
            Shape::All if self.operation == CollectiveOperation::Barrier => Some(Cause::BarrierNotReached),
            Shape::All => Some(Cause::AllToAllNotReached),
            Shape::FromRoot(root) => (me != root).then_some(Cause::RootNotReached),
            Shape::ToRoot(root) => (me == root).then_some(Cause::SenderNotReached),
            Shape::Prefix => Some(Cause::LowerRankNotReached),
        }
    }

    /// Whether a metric counts waits in it: not without payload or in a communicator of one, barriers apart.
    pub(crate) fn is_analyzed(&self, size: usize) -> bool {
        use CollectiveOperation::{Barrier, DestroyHandle};
        let payload = self.sent + self.received > 0 || matches!(self.operation, Barrier | DestroyHandle);
        payload && size > 1 && self.split.is_none()
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.root() {
            Some(root) => write!(f, "{} with root {root}", self.name),
            None => f.write_str(self.name),
        }
    }
}
