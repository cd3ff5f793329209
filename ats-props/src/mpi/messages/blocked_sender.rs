//! Senders that are late because they wait themselves.

use ats_mpi::{Communicator, SendMode, mpi_commpattern_chain};
use ats_props::{Balance, Distribution, Seconds, property};

use crate::family::between::Between;

/// Each rank waits for the one below, which has waited for the one below it.
///
/// Rank 0 works `firstwork` and sends to rank 1; each of the others receives from the rank below, works `basework` and
/// sends to the rank above.
///
/// ```text
/// rank 0  ├─ firstwork ─┬ MPI_Send ┤
/// rank 1  ├─ MPI_Recv ··┬─ base ─┬ MPI_Send ┤
/// rank 2  ├─ MPI_Recv ···········┬─ base ─┬ MPI_Send ┤
///         └─ waits ──────────────┘
/// ```
///
/// Rank i is left i·`basework` behind rank 0, and (r−1)·(`basework` − `firstwork`) more where `basework` is longer. If
/// rank 0 has more work than the others, and that is at least half of what they wait, they wait for its work, and not for
/// the chain. No other wait state shows. Needs eager sends, which is probed at run time.
#[property(
    finds = LateSender,
    at = "mpi_commpattern_chain/MPI_Recv",
    each = if i > 0 { firstwork + (i - 1) * basework + (r - 1) * max(0, firstwork - basework) },
    cause = if (r + 1) * (firstwork - basework) < firstwork + (P - 2) * basework / 2 {
        BlockedSender
    } else {
        UnevenWork
    },
    min_ranks = 3,
    send_mode = Standard
)]
pub fn blocked_sender(
    /// Work of rank 0 in a repetition.
    #[default(Seconds(0.03))]
    firstwork: Seconds,
    /// Work of each of the others in a repetition, between receiving and sending.
    #[default(Seconds(0.03))]
    basework: Seconds,
    /// Number of repetitions.
    #[default(10)]
    r: usize,
    c: &dyn Communicator,
    balance: Balance,
) {
    let work = Between {
        before: Distribution::same(0.0),
        between: Distribution::peak(basework.0, firstwork.0, 0),
        r,
    };
    let buf = c.base_buf();
    work.run(balance, c, |work| mpi_commpattern_chain(&buf, work, SendMode::Standard, c));
}
