//! A receive that waits for a message which is sent later.

use ats_props::{Balance, Communicator, Distribution, Seconds, property};

use crate::family::pairs::send_up;
use crate::family::uneven::Uneven;

/// Receivers wait because their senders have more to do.
///
/// Even ranks work `basework` + `extrawork` and send to the odd rank above them; odd ranks work `basework`, post their
/// receive and wait in it. With an odd number of ranks the last one only works.
///
/// ```text
/// even  ├─ base ─┬─ extra ─┬─ MPI_Ssend ─┤
/// odd   ├─ base ─┼─ MPI_Recv ············┤
///                └─ waits ─┘
/// ```
///
/// Sends are synchronous: the sender never runs ahead, and every repetition starts even. Shows no other wait state.
/// POP's metrics class it as load imbalance, not as serialisation.
#[property(
    finds = LateSender,
    formula = floor(P / 2) * r * extrawork,
    at = "mpi_commpattern_sendrecv/MPI_Recv",
    each = if odd(i) { r * extrawork },
    cause = UnevenWork,
    min_ranks = 2,
    send_mode = Synchronous
)]
pub fn late_sender(
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
    // Even ranks send, and have more to do.
    let work = Uneven { work: Distribution::cyclic2(basework.0 + extrawork.0, basework.0), r };
    work.run(balance, c, send_up(c.base_buf(), c));
}
