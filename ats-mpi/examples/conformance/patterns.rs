//! The patterns in every combination.

use ats_mpi::{
    Communicator, Direction, SendMode, Source, Tag, Transfer, mpi_commpattern_all_to_one,
    mpi_commpattern_chain, mpi_commpattern_one_to_all, mpi_commpattern_sendrecv, mpi_commpattern_shift,
};

use crate::check::{holds, ints, signed};

pub(crate) fn check(c: &dyn Communicator) {
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
    for mode in [SendMode::Standard, SendMode::Synchronous, SendMode::Buffered] {
        chain(c, mode);
        one_to_all(c, mode);
        all_to_one(c, mode);
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

fn chain(c: &dyn Communicator, mode: SendMode) {
    let buf = ints(c, &signed(c.rank(), 4));
    mpi_commpattern_chain(&buf, 0.0, mode, c);
    holds("chain pattern", &buf, &signed(0, 4));
    c.barrier();
}

fn one_to_all(c: &dyn Communicator, mode: SendMode) {
    let buf = ints(c, &signed(c.rank(), 4));
    mpi_commpattern_one_to_all(&buf, 0.0, mode, c);
    holds("one-to-all pattern", &buf, &signed(0, 4));
    c.barrier();
}

fn all_to_one(c: &dyn Communicator, mode: SendMode) {
    let (me, size) = (c.rank(), c.size());
    let buf = ints(c, &signed(me, 4));
    mpi_commpattern_all_to_one(&buf, mode, c);
    holds("all-to-one pattern", &buf, &signed(if me == 0 { size - 1 } else { me }, 4));
    c.barrier();
}
