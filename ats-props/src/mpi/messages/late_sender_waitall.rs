//! A call that completes several receives, some of them late.

use ats_mpi::{Communicator, Source, Tag};
use ats_props::{Balance, Distribution, Seconds, property};

use crate::family::hub;
use crate::family::last_of_all::LastOfAll;

/// A rank waits in one call for the messages of all others; the last one decides.
///
/// The others work for their shares of `distribution` and send to rank 0; rank 0 works `basework`, starts a receive for
/// each of them, and waits for all in one `MPI_Waitall`. A barrier ends the repetition.
///
/// ```text
/// rank 0  ├─ base ─┬─ MPI_Waitall ··············┬─ MPI_Barrier ┤
/// rank 1  ├─ low ────┬ MPI_Send ┬─ MPI_Barrier ················┤
/// rank 2  ├─ high ──────────────────┬ MPI_Send ┬─ MPI_Barrier ─┤
///                  └─── waits ──────┘
/// ```
///
/// The wait is one, for the last message; a tool that adds up the messages reports up to P−1 times as much. With w of work of
/// a rank and M the most of all but rank 0, the barrier shows r·(max(M, `basework`) − w) there. Without it fast senders would
/// run ahead, and the waits for the slow ones were soon in the wrong order. No other wait state shows, and no skew is left.
/// Needs eager sends, which is probed at run time: synchronous ones would wait for a rank 0 that works longer.
#[property(
    finds = LateSender,
    at = "MPI_Waitall",
    each = if i == 0 { r * max(0, max(1..P, |j| distribution[j]) - basework) },
    cause = UnevenWork,
    also = WaitAtBarrier,
    at = "MPI_Barrier",
    each = if i > 0 { r * (max(basework, max(1..P, |j| distribution[j])) - distribution[i]) },
    min_ranks = 2,
    send_mode = Standard
)]
pub fn late_sender_waitall(
    /// Work of each rank but 0 in a repetition.
    #[default(Distribution::block2(0.01, 0.06))]
    distribution: Distribution,
    /// Work of rank 0 in a repetition.
    #[default(Seconds(0.01))]
    basework: Seconds,
    /// Number of repetitions.
    #[default(10)]
    r: usize,
    c: &dyn Communicator,
    balance: Balance,
) {
    let buf = c.base_buf();
    let senders = if c.rank() == 0 { c.size() - 1 } else { 0 };
    let bufs: Vec<_> = (0..senders).map(|_| c.base_buf()).collect();
    let messages = move || {
        if c.rank() > 0 {
            c.send(0, hub::IN, &buf);
        } else {
            let start = |(rank, buf)| c.irecv(Source::Rank(rank), Tag::Is(hub::IN), buf);
            c.waitall((1..).zip(&bufs).map(start).collect());
        }
    };
    LastOfAll { others: distribution, first: basework.0, r }.run(balance, c, messages);
}
