//! A cyclic shift.

use ats_work::region;

use super::{Direction, Transfer};
use crate::{Communicator, MpiBuf, Op, Source, Tag};

/// The pattern's tag, as in the original suite.
const TAG: u32 = 43;

/// Every rank sends to one neighbour and receives from the other, around the ring.
///
/// Any combination is free of deadlock for any number of ranks: with both calls blocking the pair is one
/// `MPI_Sendrecv`; with one of them non-blocking, that one is started first and completed last. `MPI_Sendrecv` has no
/// modes, so [`Transfer::mode`] counts in the other combinations only.
#[inline(never)]
pub fn mpi_commpattern_shift(
    send: &MpiBuf,
    recv: &MpiBuf,
    direction: Direction,
    transfer: Transfer,
    c: &dyn Communicator,
) {
    let _region = region("mpi_commpattern_shift");
    let (me, size) = (c.rank(), c.size());
    let (above, below) = ((me + 1) % size, (me + size - 1) % size);
    let (to, from) = match direction {
        Direction::Up => (above, below),
        Direction::Down => (below, above),
    };
    let receive = || c.irecv(Source::Rank(from), Tag::Is(TAG), recv);
    match (transfer.use_isend, transfer.use_irecv) {
        (false, false) => {
            c.call(Op::Sendrecv {
                to,
                send_tag: TAG,
                send: send.clone(),
                from: Source::Rank(from),
                recv_tag: Tag::Is(TAG),
                recv: recv.clone(),
            });
        }
        (true, false) => {
            let sending = transfer.start_send(c, to, TAG, send);
            c.call(transfer.recv(from, TAG, recv));
            c.wait(sending);
        }
        (false, true) => {
            let receiving = receive();
            c.call(transfer.send(to, TAG, send));
            c.wait(receiving);
        }
        (true, true) => {
            let receiving = receive();
            let sending = transfer.start_send(c, to, TAG, send);
            c.wait(sending);
            c.wait(receiving);
        }
    }
}
