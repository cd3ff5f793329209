//! Messages from all other ranks to one.

use ats_work::region;

use crate::{Communicator, MpiBuf, SendMode, Source, Tag};

/// The pattern's tag.
const TAG: u32 = 47;

/// Rank 0 receives from each of the others in turn, the lowest first.
#[inline(never)]
pub fn mpi_commpattern_all_to_one(buf: &MpiBuf, mode: SendMode, c: &dyn Communicator) {
    let _region = region("mpi_commpattern_all_to_one");
    if c.rank() > 0 {
        c.send_as(mode, 0, TAG, buf);
        return;
    }
    for other in 1..c.size() {
        c.recv(Source::Rank(other), Tag::Is(TAG), buf);
    }
}
