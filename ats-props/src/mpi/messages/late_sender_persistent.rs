//! A persistent receive that waits for a message which is sent later, prepared once and started again and again.

use ats_props::{Balance, Communicator, Distribution, Seconds, property};

use crate::family::pairs::send_up_persistent;
use crate::family::uneven::Uneven;

/// Receivers wait for a prepared message because their senders have more to do.
///
/// Even ranks prepare a synchronous send to the odd rank above them, odd ranks the receive. In each repetition even
/// ranks work `basework` + `extrawork` and odd ranks `basework`; then both start their request and wait for it. With an
/// odd number of ranks the last one only works.
///
/// ```text
/// even  ├─ base ─┬─ extra ─┬ MPI_Start ┬ MPI_Wait ┤
/// odd   ├─ base ─┬ MPI_Start ┬─ MPI_Wait ··········┤
///                             └─ waits ─┘
/// ```
///
/// The wait is in `MPI_Wait`, and the receive was posted by `MPI_Start`: `MPI_Recv_init` only prepares it. Every
/// repetition starts even. Shows no other wait state.
#[property(
    finds = LateSender,
    formula = floor(P / 2) * r * extrawork,
    at = "MPI_Wait",
    each = if odd(i) { r * extrawork },
    cause = UnevenWork,
    min_ranks = 2,
    send_mode = Synchronous
)]
pub fn late_sender_persistent(
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
    work.run(balance, c, send_up_persistent(c));
}
