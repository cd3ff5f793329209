//! A chain of ranks, from the first to the last.

use ats_work::{do_work, region};

use crate::{Communicator, MpiBuf, SendMode, Source, Tag};

/// The pattern's tag.
const TAG: u32 = 45;

/// Every rank receives from the rank below, works for `work` seconds, and sends to the rank above. The first does not
/// receive, the last does not send.
#[inline(never)]
pub fn mpi_commpattern_chain(buf: &MpiBuf, work: f64, mode: SendMode, c: &dyn Communicator) {
    let _region = region("mpi_commpattern_chain");
    let me = c.rank();
    if me > 0 {
        c.recv(Source::Rank(me - 1), Tag::Is(TAG), buf);
    }
    do_work(work);
    if me + 1 < c.size() {
        c.send_as(mode, me + 1, TAG, buf);
    }
}
