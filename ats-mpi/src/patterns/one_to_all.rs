//! Messages from one rank to all others.

use ats_work::{do_work, region};

use crate::{Communicator, MpiBuf, SendMode, Source, Tag};

/// The pattern's tag.
const TAG: u32 = 46;

/// Rank 0 sends to each of the others in turn, the lowest first, and works for `work` seconds before each message.
#[inline(never)]
pub fn mpi_commpattern_one_to_all(buf: &MpiBuf, work: f64, mode: SendMode, c: &dyn Communicator) {
    let _region = region("mpi_commpattern_one_to_all");
    if c.rank() > 0 {
        c.recv(Source::Rank(0), Tag::Is(TAG), buf);
        return;
    }
    for other in 1..c.size() {
        do_work(work);
        c.send_as(mode, other, TAG, buf);
    }
}
