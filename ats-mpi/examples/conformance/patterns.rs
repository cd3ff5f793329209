//! The report's patterns in every combination.

use ats_mpi::{
    Communicator, Direction, SendMode, Source, Tag, Transfer, mpi_commpattern_sendrecv, mpi_commpattern_shift,
};

use crate::check::{holds, ints, signed};

pub(crate) fn all(c: &dyn Communicator) {
    for mode in [SendMode::Standard, SendMode::Synchronous, SendMode::Buffered, SendMode::Ready] {
        for (use_isend, use_irecv) in [(false, false), (true, false), (false, true), (true, true)] {
            for direction in [Direction::Up, Direction::Down] {
                let transfer = Transfer { mode, use_isend, use_irecv };
                if mode != SendMode::Ready {
                    sendrecv(c, direction, transfer);
                }
                // A ready send is right only where the receive is posted before any rank sends.
                if mode != SendMode::Ready || (!use_isend && !use_irecv) {
                    shift(c, direction, transfer);
                }
            }
        }
    }
    // Nothing is left over.
    assert_eq!(c.iprobe(Source::Any, Tag::Any), None);
    c.barrier();
}

fn sendrecv(c: &dyn Communicator, direction: Direction, transfer: Transfer) {
    let (me, partner) = (c.rank(), c.rank() ^ 1);
    let buf = ints(c, &signed(me, 4));
    mpi_commpattern_sendrecv(&buf, direction, transfer, c);
    let receives = partner < c.size() && (direction == Direction::Up) == (me > partner);
    holds("sendrecv pattern", &buf, &signed(if receives { partner } else { me }, 4));
    c.barrier();
}

fn shift(c: &dyn Communicator, direction: Direction, transfer: Transfer) {
    let (me, size) = (c.rank(), c.size());
    let (send, recv) = (ints(c, &signed(me, 4)), ints(c, &[-1; 4]));
    mpi_commpattern_shift(&send, &recv, direction, transfer, c);
    let from = if direction == Direction::Up { (me + size - 1) % size } else { (me + 1) % size };
    holds("shift pattern", &recv, &signed(from, 4));
    c.barrier();
}
