//! A send that waits for a receive which is posted later.

use ats_props::{Balance, Communicator, Distribution, Seconds, property};

use crate::family::pairs::send_up;
use crate::family::uneven::Uneven;

/// Senders wait because their receivers have more to do.
///
/// Even ranks work `basework` and send to the odd rank above them; odd ranks work `basework` + `extrawork` before they
/// receive. With an odd number of ranks the last one only works, and ends `r`·`extrawork` before the others.
///
/// ```text
/// even  ├─ base ─┬─ MPI_Ssend ···········┤
/// odd   ├─ base ─┼─ extra ─┬─ MPI_Recv ──┤
///                └─ waits ─┘
/// ```
///
/// Sends are synchronous: an eager send would return at once, the sender would run ahead, and its wait would show at
/// the next synchronisation instead.
#[property(
    finds = LateReceiver,
    formula = floor(P / 2) * r * extrawork,
    at = "mpi_commpattern_sendrecv/MPI_Ssend",
    each = if even(i) && i + 1 < P { r * extrawork },
    cause = LateReceiver,
    min_ranks = 2,
    send_mode = Synchronous
)]
pub fn late_receiver(
    /// Work of every rank in a repetition.
    #[default(Seconds(0.01))]
    basework: Seconds,
    /// Extra work of the receivers: their delay.
    #[default(Seconds(0.05))]
    extrawork: Seconds,
    /// Number of repetitions.
    #[default(10)]
    r: usize,
    c: &dyn Communicator,
    balance: Balance,
) {
    // Odd ranks receive, and have more to do.
    let work = Uneven { work: Distribution::cyclic2(basework.0, basework.0 + extrawork.0), r };
    work.run(balance, c, send_up(c.base_buf(), c));
}
