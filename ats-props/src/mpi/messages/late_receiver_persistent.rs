//! A persistent send that waits for a receive which is posted later, prepared once and started again and again.

use ats_props::{Balance, Communicator, Distribution, Seconds, property};

use crate::family::pairs::send_up_persistent;
use crate::family::uneven::Uneven;

/// Senders of a prepared message wait because their receivers have more to do.
///
/// Even ranks prepare a synchronous send to the odd rank above them, odd ranks the receive. In each repetition even
/// ranks work `basework` and odd ranks `basework` + `extrawork`; then both start their request and wait for it. With an
/// odd number of ranks the last one only works, and ends `r`·`extrawork` before the others.
///
/// ```text
/// even  ├─ base ─┬ MPI_Start ┬─ MPI_Wait ··········┤
/// odd   ├─ base ─┬─ extra ─┬ MPI_Start ┬ MPI_Wait ┤
///                             └─ waits ─┘
/// ```
///
/// The wait is in `MPI_Wait`, for the `MPI_Start` of the receiver: `MPI_Recv_init` only prepares the receive. Sends are
/// synchronous (`MPI_Ssend_init`): an eager one would be complete at once. Shows no other wait state.
#[property(
    finds = LateReceiver,
    formula = floor(P / 2) * r * extrawork,
    at = "MPI_Wait",
    each = if even(i) && i + 1 < P { r * extrawork },
    cause = LateReceiver,
    min_ranks = 2,
    send_mode = Synchronous
)]
pub fn late_receiver_persistent(
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
    work.run(balance, c, send_up_persistent(c));
}
