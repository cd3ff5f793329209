//! Checksum of the data communicated by the program ([`ats_work::checksum`]).
//!
//! Once the checksum is started, messages in memory that is this engine's own, or lent to it, have contents that
//! depend on the sender's rank and on the number of messages it has made before, and memory to receive into is blank
//! before the call: so a message that is lost, changed or delivered twice changes the result. Other memory of the
//! program is left as it is. Data delivered by a receive or a collective is added when it is complete: receiver,
//! sender, tag and contents; a barrier delivers nothing. [`SAMPLES`] elements stand for a large message, including the
//! first and the last.

use std::sync::atomic::{AtomicU64, Ordering};

use ats_model::mpi::Function;
use ats_work::checksum::{self, Item};

use super::member::Member;
use crate::{MpiBuf, Op, Status};

/// The number of elements of a message that are looked at.
const SAMPLES: usize = 64;

/// Contents are whole numbers below this, so that sums over many ranks are exact in every type of message but bytes,
/// which wrap around.
const CONTENTS: u64 = 1 << 20;

/// The contents of memory that nothing has been received into.
const BLANK: u64 = CONTENTS;

/// Gives the messages that a call sends their contents, and blanks the memory that it receives into. Memory of pending
/// calls is left alone.
pub(super) fn prepare(op: &Op, on: Member) {
    if !checksum::is_started() {
        return;
    }
    let (outgoing, incoming) = buffers(op, on);
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
    each(op, on, |buf| buf.memory().hold());
}

/// Ends [`hold`].
pub(super) fn release(op: &Op, on: Member) {
    each(op, on, |buf| buf.memory().release());
}

/// Adds the data that a complete call has delivered; `status` is that of the message, if it received one.
pub(super) fn add(op: &Op, on: Member, status: Status) {
    if !checksum::is_started() || matches!(op, Op::Send { .. }) {
        return;
    }
    let item = Item::new(op.function().name()).with(on.size as u64).with(on.rank as u64);
    let (_, incoming) = buffers(op, on);
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

/// The buffers that a call reads and writes, of this rank.
fn buffers(op: &Op, on: Member) -> (Option<&MpiBuf>, Option<&MpiBuf>) {
    let part = op.part(on.rank, on.size);
    // What rank 0 receives is undefined.
    let is_undefined = part.function == Function::Exscan && on.rank == 0;
    (part.send.buf, part.receive.buf.filter(|_| !is_undefined))
}

fn each(op: &Op, on: Member, run: impl Fn(&MpiBuf)) {
    let (outgoing, incoming) = buffers(op, on);
    outgoing.into_iter().chain(incoming).for_each(run);
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
