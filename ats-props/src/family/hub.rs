//! Rank 0 and all others, which exchange messages with it alone.

use ats_mpi::{MpiBuf, SendMode, Source, Tag};
use ats_work::do_work;

use crate::{Communicator, Distribution};

/// The tag of messages that rank 0 sends.
pub(crate) const OUT: u32 = 1;
/// The tag of messages that rank 0 receives.
pub(crate) const IN: u32 = 2;

/// Rank 0 works so long, and the others as they would by `others`.
pub(crate) fn work(of_first: f64, others: Distribution) -> Distribution {
    let value = move |me, size, scale| if me == 0 { of_first * scale } else { others.value(me, size, scale) };
    Distribution::user("all but the first", value)
}

/// Rank 0 sends to each of the others in turn, and works so long before each message.
pub(crate) fn hand_out(buf: &MpiBuf, each: f64, mode: SendMode, c: &dyn Communicator) {
    if c.rank() > 0 {
        c.recv(Source::Rank(0), Tag::Is(OUT), buf);
        return;
    }
    for other in 1..c.size() {
        do_work(each);
        c.send_as(mode, other, OUT, buf);
    }
}

/// Rank 0 receives from each of the others, the lowest first.
pub(crate) fn collect(buf: &MpiBuf, c: &dyn Communicator) {
    if c.rank() > 0 {
        c.send(0, IN, buf);
        return;
    }
    for other in 1..c.size() {
        c.recv(Source::Rank(other), Tag::Is(IN), buf);
    }
}
