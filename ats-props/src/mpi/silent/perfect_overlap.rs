//! Communication that is over before its completion is asked for.

use ats_mpi::{Communicator, SendMode, Source, Tag};
use ats_props::{Seconds, do_work, property};

use crate::family::pairs::TAG;

/// All ranks exchange messages with a neighbour while they work, and no rank waits.
///
/// Every rank starts to receive from the rank below, works `basework`, starts to send to the rank above, around the
/// ring, works `overlap`, and completes both in one `MPI_Waitall`.
///
/// ```text
/// all  ┬─ base ─┬─ overlap ───────┬ MPI_Waitall ┬
///  MPI_Irecv MPI_Isend
/// ```
///
/// A tool that counts a late sender from the start of the receive is wrong: messages are sent `basework` after it, but
/// `overlap` before any rank waits. Every repetition starts even. Eager sends are probed at run time.
#[property(tempts = LateSender, min_ranks = 2, send_mode = Standard)]
pub fn perfect_overlap(
    /// Work of every rank between the start of its receive and that of its send.
    #[default(Seconds(0.03))]
    basework: Seconds,
    /// Work of every rank between the start of its send and `MPI_Waitall`.
    #[default(Seconds(0.03))]
    overlap: Seconds,
    /// Number of repetitions.
    #[default(10)]
    r: usize,
    c: &dyn Communicator,
) {
    let (me, size) = (c.rank(), c.size());
    let (send, recv) = (c.base_buf(), c.base_buf());
    for _ in 0..r {
        let receiving = c.irecv(Source::Rank((me + size - 1) % size), Tag::Is(TAG), &recv);
        do_work(basework.0);
        let sending = c.isend_as(SendMode::Standard, (me + 1) % size, TAG, &send);
        do_work(overlap.0);
        c.waitall(vec![receiving, sending]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::assert_nobody_waits;

    #[test]
    fn no_rank_waits() {
        assert_nobody_waits(&PROPERTY, &[], |_, _| 0.06);
    }
}
