//! A non-blocking send that is waited for before its receive is posted.

use ats_props::{Balance, Communicator, Seconds, property};

use crate::family::overlap::{Late, Overlap};

/// Senders have started to send and work on, but not for so long as their receivers are late.
///
/// Even ranks work `basework`, start to send synchronously to the odd rank above them, work `overlap` and wait; odd ranks
/// work `basework` + `extrawork` and receive. With an odd number of ranks the last one only works, and ends
/// `r`·(`extrawork` − `overlap`) before the others.
///
/// ```text
/// even  ├─ base ─┬─ overlap ┬─ MPI_Wait ···········┤
/// odd   ├─ base ─┼─ extra ─────────────┬─ MPI_Recv ─┤
///           MPI_Issend        └─ waits ─┘
/// ```
///
/// The wait begins in `MPI_Wait`, not at `MPI_Issend`. No other wait state shows. With more overlap than extra work no
/// sender waits for a receiver; the senders fall behind then, and receivers wait for them from the second repetition
/// on, floor(P/2)·max(0, (r−1)·overlap − r·extrawork) in total.
#[property(
    finds = LateReceiver,
    formula = floor(P / 2) * r * max(0, extrawork - overlap),
    at = "MPI_Wait",
    each = if even(i) && i + 1 < P { r * max(0, extrawork - overlap) },
    cause = LateReceiver,
    also = LateSender,
    at = "MPI_Recv",
    each = if odd(i) { max(0, (r - 1) * overlap - r * extrawork) },
    min_ranks = 2,
    send_mode = Synchronous
)]
pub fn late_receiver_isend_wait(
    /// Work of every rank in a repetition.
    #[default(Seconds(0.01))]
    basework: Seconds,
    /// Extra work of the receivers: their delay.
    #[default(Seconds(0.05))]
    extrawork: Seconds,
    /// Work of the senders between `MPI_Issend` and `MPI_Wait`.
    #[default(Seconds(0.01))]
    overlap: Seconds,
    /// Number of repetitions.
    #[default(10)]
    r: usize,
    c: &dyn Communicator,
    balance: Balance,
) {
    let work =
        Overlap { late: Late::Receiver, basework: basework.0, extrawork: extrawork.0, overlap: overlap.0, r };
    work.run(balance, false, c);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{RANKS, assert_close, simulate};

    #[test]
    fn a_rank_without_a_partner_ends_before_the_others() {
        for ranks in RANKS {
            let outcome = simulate(&PROPERTY, (ranks, 1), &[("overlap", "20ms"), ("r", "5")], false);
            assert_close(outcome.ends[ranks - 1], if ranks % 2 == 1 { 0.15 } else { 0.3 });
        }
    }
}
