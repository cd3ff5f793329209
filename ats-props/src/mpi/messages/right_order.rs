//! A late sender that is not due to the order of receives.

use ats_mpi::Communicator;
use ats_props::{Balance, Distribution, Seconds, property};

use crate::family::between::Between;
use crate::token::{Collect, pass_token};

/// A rank waits for every message in turn, in the order in which they are sent.
///
/// As [`super::wrong_order`], but rank 0 receives the reports from rank 1 up: it waits `basework` for each. Rank 0 waits
/// exactly as long in total; only the order differs, so a tool that finds wrong order here is wrong.
///
/// ```text
/// rank 0  ├─ MPI_Recv (from 1) ─┬─ MPI_Recv (from 2) ─┤
/// rank 1  ├─ work ──┬ MPI_Send ─┤                     │
/// rank 2  ├─ MPI_Recv ──────────┬─ work ──┬ MPI_Send ─┤
/// ```
///
/// Rank i is left (P−1−i)·`basework` ahead of the last. Needs eager sends, which is probed at run time.
#[property(
    finds = LateSender,
    formula = r * (P - 1) * basework + (P - 1) * (P - 2) * (r - 1 / 2) * basework,
    at = "MPI_Recv",
    each = if i == 0 { r * (P - 1) * basework },
    at = "mpi_commpattern_chain/MPI_Recv",
    each = if i > 0 { (i - 1) * basework + (r - 1) * (P - 2) * basework },
    cause = BlockedSender,
    min_ranks = 3,
    send_mode = Standard
)]
pub fn right_order(
    /// Work of every rank but the first between receiving the token and passing it on.
    #[default(Seconds(0.01))]
    basework: Seconds,
    /// Number of repetitions.
    #[default(10)]
    r: usize,
    c: &dyn Communicator,
    balance: Balance,
) {
    let work =
        Between { before: Distribution::same(0.0), between: Distribution::peak(basework.0, 0.0, 0), r };
    work.run(balance, c, |work| pass_token(work, Collect::FirstFirst, c));
}
