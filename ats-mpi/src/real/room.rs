//! Whether the buffers of a collective hold what the call moves. MPI would write beyond them.

use super::communicator::Member;
use super::failure::fatal;
use crate::{MpiBuf, Op};

/// Ends all ranks with a message if a buffer of the collective is missing or too small, or a count is.
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
    let total = |counts: &[usize], buf: &MpiBuf| {
        if counts.len() != on.size {
            fatal(name, &format!("{} counts for {} ranks", counts.len(), on.size));
        }
        counts.iter().sum::<usize>() * buf.datatype.size()
    };
    match op {
        Op::Scatter { root, send, recv } => at_root("send", *root, send.as_ref(), recv.bytes() * on.size),
        Op::Gather { root, send, recv } => at_root("receive", *root, recv.as_ref(), send.bytes() * on.size),
        Op::Scatterv { root, buf } | Op::Gatherv { root, buf } if on.rank == *root => {
            at_root("common", *root, buf.all.as_ref(), total(&buf.counts, &buf.own));
        }
        Op::Reduce { root, send, recv, .. } => at_root("receive", *root, recv.as_ref(), send.bytes()),
        Op::Allreduce { send, recv, .. } | Op::Scan { send, recv, .. } | Op::Exscan { send, recv, .. } => {
            room("receive", recv, send.bytes());
        }
        Op::Allgather { send, recv } => room("receive", recv, send.bytes() * on.size),
        Op::Allgatherv { recv, counts, send } => {
            let bytes = total(counts, recv);
            room("receive", recv, bytes);
            room("send", send, counts[on.rank] * send.datatype.size());
        }
        Op::Alltoall { send, recv } => room("receive", recv, send.bytes() / on.size * on.size),
        Op::Alltoallv { send, send_counts, recv, recv_counts } => {
            room("send", send, total(send_counts, send));
            room("receive", recv, total(recv_counts, recv));
        }
        Op::ReduceScatter { send, recv, counts, .. } => {
            room("send", send, total(counts, send));
            room("receive", recv, counts[on.rank] * recv.datatype.size());
        }
        Op::ReduceScatterBlock { send, recv, .. } => room("send", send, recv.bytes() * on.size),
        _ => {}
    }
}
