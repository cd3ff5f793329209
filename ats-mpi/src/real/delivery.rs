//! What was communicated, for the checksum of the program ([`ats_work::checksum`]).
//!
//! Once the checksum is started, messages in memory that is this engine's own, or lent to it, have contents that depend on
//! the sender's rank and on how many messages it has made before, and memory to receive into is blank before the call: so
//! a message that is lost, changed or delivered twice is another result. Other memory of the program's is left as it is.
//! What a receive or a collective delivers is added when it is complete: who got what from whom under which tag, and the
//! contents; a barrier delivers nothing. Of a large message, [`SAMPLES`] elements stand for all, the first and the last
//! among them.

use std::sync::atomic::{AtomicU64, Ordering};

use ats_work::checksum::{self, Item};

use super::communicator::Member;
use crate::{MpiBuf, Op, Status};

/// How many elements of a message are looked at.
const SAMPLES: usize = 64;

/// Contents are whole numbers below this, so that sums over many ranks are exact in every type of message but bytes,
/// which wrap around.
const CONTENTS: u64 = 1 << 20;

/// What stands in memory that nothing has been received into.
const BLANK: u64 = CONTENTS;

/// Gives the messages that a call sends their contents, and blanks what it receives into. What a pending call uses is
/// left alone.
pub(super) fn prepare(op: &Op, on: Member) {
    if !checksum::is_started() {
        return;
    }
    let Buffers { outgoing, incoming } = Buffers::of(op, on);
    if let Some(buf) = outgoing.filter(|buf| buf.memory().is_free()) {
        let contents = Item::new("contents").with(on.rank as u64).with(next_number());
        samples(buf.count()).for_each(|at| buf.set(at, contents.with(at as u64).number() % CONTENTS));
    }
    if let Some(buf) = incoming.filter(|buf| buf.memory().is_free()) {
        samples(buf.count()).for_each(|at| buf.set(at, BLANK));
    }
}

/// Counts the messages of the process.
fn next_number() -> u64 {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    NUMBER.fetch_add(1, Ordering::Relaxed)
}

/// From now until it is complete, the memory of a call is not free.
pub(super) fn hold(op: &Op, on: Member) {
    Buffers::of(op, on).each(|buf| buf.memory().hold());
}

/// Ends [`hold`].
pub(super) fn release(op: &Op, on: Member) {
    Buffers::of(op, on).each(|buf| buf.memory().release());
}

/// Adds what a call that is complete has delivered; `status` is that of the message, if it received one.
pub(super) fn add(op: &Op, on: Member, status: Status) {
    if !checksum::is_started() || matches!(op, Op::Send { .. }) {
        return;
    }
    let item = Item::new(op.blocking_name()).with(on.size as u64).with(on.rank as u64);
    let Buffers { incoming, .. } = Buffers::of(op, on);
    checksum::add(match (op, incoming) {
        (Op::Recv { .. } | Op::Sendrecv { .. }, Some(buf)) => {
            let Status { source, tag, bytes } = status;
            let envelope = item.with(source as u64).with(u64::from(tag)).with(bytes as u64);
            with_contents(envelope, buf, bytes / buf.datatype().size())
        }
        (_, Some(buf)) => with_contents(item, buf, buf.count()),
        (_, None) => return,
    });
}

fn with_contents(item: Item, buf: &MpiBuf, count: usize) -> Item {
    samples(count.min(buf.count())).fold(item, |item, at| item.with(buf.get(at)))
}

/// The indices of the elements that stand for `count`.
fn samples(count: usize) -> impl Iterator<Item = usize> {
    let number = count.min(SAMPLES);
    (0..number).map(move |sample| match number == count {
        true => sample,
        false => sample * (count - 1) / (SAMPLES - 1),
    })
}

/// What a call reads and what it writes, of this rank.
struct Buffers<'a> {
    outgoing: Option<&'a MpiBuf>,
    incoming: Option<&'a MpiBuf>,
}

impl<'a> Buffers<'a> {
    fn of(op: &'a Op, on: Member) -> Self {
        let at_root = |root: &usize| on.rank == *root;
        let (outgoing, incoming) = match op {
            Op::Barrier => (None, None),
            Op::Send { buf, .. } => (Some(buf), None),
            Op::Recv { buf, .. } => (None, Some(buf)),
            Op::Bcast { root, buf } if at_root(root) => (Some(buf), None),
            Op::Bcast { buf, .. } => (None, Some(buf)),
            Op::Scatter { root, send, recv } => (send.as_ref().filter(|_| at_root(root)), Some(recv)),
            Op::Scatterv { buf, .. } => (buf.all.as_ref(), Some(&buf.own)),
            Op::Gather { root, send, recv } | Op::Reduce { root, send, recv, .. } => {
                (Some(send), recv.as_ref().filter(|_| at_root(root)))
            }
            Op::Gatherv { buf, .. } => (Some(&buf.own), buf.all.as_ref()),
            // What rank 0 receives is undefined.
            Op::Exscan { send, .. } if on.rank == 0 => (Some(send), None),
            Op::Sendrecv { send, recv, .. }
            | Op::Allreduce { send, recv, .. }
            | Op::Allgather { send, recv }
            | Op::Allgatherv { send, recv, .. }
            | Op::Alltoall { send, recv }
            | Op::Alltoallv { send, recv, .. }
            | Op::ReduceScatter { send, recv, .. }
            | Op::ReduceScatterBlock { send, recv, .. }
            | Op::Scan { send, recv, .. }
            | Op::Exscan { send, recv, .. } => (Some(send), Some(recv)),
        };
        Buffers { outgoing, incoming }
    }

    fn each(self, run: impl Fn(&MpiBuf)) {
        self.outgoing.into_iter().chain(self.incoming).for_each(run);
    }
}

#[cfg(test)]
mod tests {
    use super::samples;

    #[test]
    fn a_small_message_is_looked_at_whole_and_a_large_one_from_end_to_end() {
        for count in [0, 1, 63, 64] {
            assert!(samples(count).eq(0..count));
        }
        for count in [65, 1_000, 1 << 24] {
            let all: Vec<_> = samples(count).collect();
            assert_eq!((all.len(), all[0], all[63]), (64, 0, count - 1));
            assert!(all.is_sorted_by(|a, b| a < b));
        }
    }
}
