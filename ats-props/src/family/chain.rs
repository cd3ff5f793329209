//! A chain of ranks, from the first to the last.

use ats_mpi::{MpiBuf, SendMode, Source, Tag};
use ats_work::do_work;

use crate::Communicator;

const TAG: u32 = 1;

/// A rank's part: it receives from the rank below, works for `work` seconds, and sends to the rank above. The first
/// does not receive, the last does not send.
pub(crate) fn link(buf: &MpiBuf, work: f64, mode: SendMode, c: &dyn Communicator) {
    let me = c.rank();
    if me > 0 {
        c.recv(Source::Rank(me - 1), Tag::Is(TAG), buf);
    }
    do_work(work);
    if me + 1 < c.size() {
        c.send_as(mode, me + 1, TAG, buf);
    }
}
