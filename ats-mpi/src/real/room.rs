//! Whether the buffers of a collective hold what the call moves. MPI would write beyond them.

use super::communicator::Member;
use super::failure::fatal;
use crate::{Datatype, MpiBuf, Op};

/// Ends all ranks with a message if a buffer of the collective is missing or too small, or a count is. Every call is
/// listed, since MPI is handed the buffers on the strength of this.
pub(super) fn require(op: &Op, on: Member) {
    let name = op.blocking_name();
    let room = |what: &str, buf: &MpiBuf, bytes: usize| {
        if buf.bytes() < bytes {
            fatal(name, &format!("the {what} buffer has {} bytes and needs {bytes}", buf.bytes()));
        }
    };
    let at_root = |what: &str, root: usize, buf: Option<&MpiBuf>, bytes: usize| {
        if on.rank == root {
            match buf {
                Some(buf) => room(what, buf, bytes),
                None => fatal(name, &format!("the root has no {what} buffer")),
            }
        }
    };
    // More than an address space is more than any buffer has.
    let total = |counts: &[usize], kind: Datatype| {
        if counts.len() != on.size {
            fatal(name, &format!("{} counts for {} ranks", counts.len(), on.size));
        }
        counts.iter().fold(0usize, |sum, &count| sum.saturating_add(count)).saturating_mul(kind.size())
    };
    let per_rank = |buf: &MpiBuf| buf.bytes().saturating_mul(on.size);
    match op {
        // These move what their own buffers hold.
        Op::Send { .. } | Op::Recv { .. } | Op::Sendrecv { .. } | Op::Barrier | Op::Bcast { .. } => {}
        Op::Scatter { root, send, recv } => at_root("send", *root, send.as_ref(), per_rank(recv)),
        Op::Gather { root, send, recv } => at_root("receive", *root, recv.as_ref(), per_rank(send)),
        Op::Scatterv { root, buf } | Op::Gatherv { root, buf } => {
            if on.rank == *root {
                at_root("common", *root, buf.all.as_ref(), total(&buf.counts, buf.own.datatype()));
            }
        }
        Op::Reduce { root, send, recv, .. } => at_root("receive", *root, recv.as_ref(), send.bytes()),
        Op::Allreduce { send, recv, .. } | Op::Scan { send, recv, .. } | Op::Exscan { send, recv, .. } => {
            room("receive", recv, send.bytes());
        }
        Op::Allgather { send, recv } => room("receive", recv, per_rank(send)),
        Op::Allgatherv { recv, counts, send } => {
            room("receive", recv, total(counts, send.datatype()));
            room("send", send, counts[on.rank] * send.datatype().size());
        }
        Op::Alltoall { send, recv } => room("receive", recv, send.bytes() / on.size * on.size),
        Op::Alltoallv { send, send_counts, recv, recv_counts } => {
            room("send", send, total(send_counts, send.datatype()));
            room("receive", recv, total(recv_counts, recv.datatype()));
        }
        Op::ReduceScatter { send, recv, counts, .. } => {
            room("send", send, total(counts, send.datatype()));
            room("receive", recv, counts[on.rank] * send.datatype().size());
        }
        Op::ReduceScatterBlock { send, recv, .. } => room("send", send, per_rank(recv)),
    }
}
