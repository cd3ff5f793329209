//! A non-blocking receive that is waited for before its message is sent.

use ats_props::{Balance, Communicator, Seconds, property};

use crate::family::overlap::{Late, Overlap};

/// Receivers have started to receive and work on, but not for so long as their senders are late.
///
/// Even ranks work `basework` + `extrawork` and send synchronously to the odd rank above them; odd ranks work `basework`,
/// start to receive, work `overlap` and wait. With an odd number of ranks the last one only works.
///
/// ```text
/// even  ├─ base ─┬─ extra ─────────────┬─ MPI_Ssend ─┤
/// odd   ├─ base ─┼─ overlap ┬─ MPI_Wait ············┤
///             MPI_Irecv       └─ waits ─┘
/// ```
///
/// The wait begins in `MPI_Wait`, not at `MPI_Irecv`. Every repetition starts even, and no other wait state shows.
/// With more overlap than extra work no receiver waits for a sender; the receivers fall behind then, and senders wait
/// for them from the second repetition on, floor(P/2)·max(0, (r−1)·overlap − r·extrawork) in total. Without
/// asynchronous progress a library may hold the synchronous send until the receiver enters `MPI_Wait`.
#[property(
    finds = LateSender,
    formula = floor(P / 2) * r * max(0, extrawork - overlap),
    at = "MPI_Wait",
    each = if odd(i) { r * max(0, extrawork - overlap) },
    cause = UnevenWork,
    also = LateReceiver,
    at = "MPI_Ssend",
    each = if even(i) && i + 1 < P && !use_isend { max(0, (r - 1) * overlap - r * extrawork) },
    at = "MPI_Wait",
    each = if even(i) && i + 1 < P && use_isend { max(0, (r - 1) * overlap - r * extrawork) },
    min_ranks = 2,
    send_mode = Synchronous
)]
pub fn late_sender_nonblocking(
    /// Work of every rank in a repetition.
    #[default(Seconds(0.01))]
    basework: Seconds,
    /// Extra work of the senders: their delay.
    #[default(Seconds(0.05))]
    extrawork: Seconds,
    /// Work of the receivers between `MPI_Irecv` and `MPI_Wait`.
    #[default(Seconds(0.01))]
    overlap: Seconds,
    /// Send with `MPI_Issend` and `MPI_Wait`, not with `MPI_Ssend`.
    #[default(false)]
    use_isend: bool,
    /// Number of repetitions.
    #[default(10)]
    r: usize,
    c: &dyn Communicator,
    balance: Balance,
) {
    let work =
        Overlap { late: Late::Sender, basework: basework.0, extrawork: extrawork.0, overlap: overlap.0, r };
    work.run(balance, use_isend, c);
}
