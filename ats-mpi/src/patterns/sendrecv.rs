//! Even and odd ranks in pairs.

use ats_work::region;

use super::{Direction, Transfer};
use crate::{Communicator, MpiBuf};

/// The pattern's tag, as in the original suite.
const TAG: u32 = 42;

/// Even ranks send to the odd rank above ([`Direction::Up`]) or odd ranks to the even rank below
/// ([`Direction::Down`]). With an odd number of ranks the last one takes no part.
#[inline(never)]
pub fn mpi_commpattern_sendrecv(
    buf: &MpiBuf,
    direction: Direction,
    transfer: Transfer,
    c: &dyn Communicator,
) {
    let _region = region("mpi_commpattern_sendrecv");
    let me = c.rank();
    let partner = me ^ 1;
    if partner >= c.size() {
        return;
    }
    let sends = match direction {
        Direction::Up => me < partner,
        Direction::Down => me > partner,
    };
    let (op, is_nonblocking) = match sends {
        true => (transfer.send(partner, TAG, buf), transfer.use_isend),
        false => (transfer.recv(partner, TAG, buf), transfer.use_irecv),
    };
    // What is inlined here would give its name to the frame of the pattern.
    if is_nonblocking {
        let request = c.start(op);
        c.wait(request);
    } else {
        c.call(op);
    }
}
