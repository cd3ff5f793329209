//! A call that completes several sends, some of them received late.

use ats_mpi::{Communicator, SendMode, Source, Tag};
use ats_props::{Balance, Distribution, Seconds, property};

use crate::family::hub;
use crate::family::last_of_all::LastOfAll;

/// A rank waits in one call for the receives of all others; the last one decides.
///
/// Rank 0 works `basework`, starts a synchronous send to each of the others, and waits for all in one `MPI_Waitall`; the
/// others work for their shares of `distribution` and receive. A barrier ends the repetition.
///
/// ```text
/// rank 0  ├─ base ─┬─ MPI_Waitall ···············┬─ MPI_Barrier ─┤
/// rank 1  ├─ low ────┬ MPI_Recv ┬─ MPI_Barrier ··················┤
/// rank 2  ├─ high ──────────────────┬ MPI_Recv ──┬─ MPI_Barrier ─┤
///                  └─── waits ──────┘
/// ```
///
/// The wait is one, for the last receive. With w of work of a rank and M the most of all but rank 0, the barrier shows
/// r·(max(`basework`, M) − max(`basework`, w)) there, and rank j a late sender of r·max(0, `basework` − w): none if no
/// rank works less than rank 0. No skew is left.
#[property(
    finds = LateReceiver,
    at = "MPI_Waitall",
    each = if i == 0 { r * max(0, max(1..P, |j| distribution[j]) - basework) },
    cause = LateReceiver,
    also = LateSender,
    at = "MPI_Recv",
    each = if i > 0 { r * max(0, basework - distribution[i]) },
    also = WaitAtBarrier,
    at = "MPI_Barrier",
    each = if i > 0 { r * (max(basework, max(1..P, |j| distribution[j])) - max(basework, distribution[i])) },
    min_ranks = 2,
    send_mode = Synchronous
)]
pub fn late_receiver_waitall(
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
    let messages = move || {
        if c.rank() > 0 {
            c.recv(Source::Rank(0), Tag::Is(hub::OUT), &buf);
        } else {
            let start = |rank| c.isend_as(SendMode::Synchronous, rank, hub::OUT, &buf);
            c.waitall((1..c.size()).map(start).collect());
        }
    };
    LastOfAll { others: distribution, first: basework.0, r }.run(balance, c, messages);
}
