//! A receive that waits for a message without contents.

use ats_mpi::{Communicator, MpiBuf};
use ats_props::{Balance, Counter, Distribution, MpiFunction, Seconds, property};

use crate::family::pairs::send_up;
use crate::family::uneven::Uneven;

/// Receivers wait for messages that carry nothing, because their senders have more to do.
///
/// As [`super::late_sender`], but with messages of no elements: even ranks work `basework` + `extrawork` and send to the odd
/// rank above them; odd ranks work `basework` and receive. With an odd number of ranks the last one only works.
///
/// ```text
/// even  ├─ base ─┬─ extra ─┬─ MPI_Ssend ─┤
/// odd   ├─ base ─┼─ MPI_Recv ············┤
///                └─ waits ─┘
/// ```
///
/// A message is waited for whatever it carries, other than a collective operation: it synchronizes. Every repetition starts
/// even, and no other wait state shows.
#[property(
    finds = LateSender,
    formula = floor(P / 2) * r * extrawork,
    at = "mpi_commpattern_sendrecv/MPI_Recv",
    each = if odd(i) { r * extrawork },
    cause = UnevenWork,
    finds = Count(Counter::SYNCS_SENT, MpiFunction::Ssend.name()),
    formula = floor(P / 2) * r,
    finds = Count(Counter::SYNCS_RECEIVED, MpiFunction::Recv.name()),
    formula = floor(P / 2) * r,
    min_ranks = 2,
    send_mode = Synchronous
)]
pub fn zero_byte_synchronization(
    /// Work of every rank in a repetition.
    #[default(Seconds(0.01))]
    basework: Seconds,
    /// Extra work of the senders: their delay.
    #[default(Seconds(0.05))]
    extrawork: Seconds,
    /// Number of repetitions.
    #[default(10)]
    r: usize,
    c: &dyn Communicator,
    balance: Balance,
) {
    let work = Uneven { work: Distribution::cyclic2(basework.0 + extrawork.0, basework.0), r };
    work.run(balance, c, send_up(nothing(c), c));
}

fn nothing(c: &dyn Communicator) -> MpiBuf {
    c.alloc_mpi_buf(c.base_comm().datatype, 0)
}
