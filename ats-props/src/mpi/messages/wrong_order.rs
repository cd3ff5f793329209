//! A late sender that is due to receiving in the wrong order.

use ats_mpi::Communicator;
use ats_props::{Balance, Distribution, Seconds, property};

use crate::family::between::Between;
use crate::token::{Collect, pass_token};

/// A rank waits for the message that comes last while others lie ready.
///
/// A token goes from rank 0 up the ranks; each works `basework` before it passes it on, and reports to rank 0. Rank 0
/// receives the reports from the last rank down: it waits for the whole chain in its first receive, and everything
/// that it receives then was sent earlier.
///
/// ```text
/// rank 0  ├─ MPI_Recv (from 2) ·············┬ MPI_Recv (from 1) ┤
/// rank 1  ├─ work ──┬ MPI_Send ┤            │
/// rank 2  ├─ MPI_Recv ─┬─ work ─┬ MPI_Send ─┤
/// ```
///
/// The token itself shows late senders on the other ranks, in the right order; rank i is left (P−1−i)·`basework` ahead
/// of the last. Needs eager sends, which is probed at run time: with large messages the senders would wait instead. See
/// [`super::right_order`] for the twin that differs in the order alone.
#[property(
    finds = LateSenderWrongOrderDifferentSources,
    at = "MPI_Recv",
    each = if i == 0 { r * (P - 1) * basework },
    cause = WrongOrder,
    part = basework * of_order(r, P),
    cause = if P > 3 { BlockedSender } else { UnevenWork },
    also = LateSender,
    at = "mpi_commpattern_chain/MPI_Recv",
    each = if i > 0 { (i - 1) * basework + (r - 1) * (P - 2) * basework },
    min_ranks = 3,
    send_mode = Standard
)]
pub fn wrong_order(
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
    work.run(balance, c, |work| pass_token(work, Collect::LastFirst, c));
}

/// The waits that another order saves, in times of the work.
///
/// In a repetition the report that comes last is received first, one work after the others: another order saves that. Of the
/// rest, the part q = (P−2)/(P−1) is passed on along the chain by rank 1, and q of its wait is for the last wait of rank 0.
fn of_order(r: f64, ranks: f64) -> f64 {
    let passed_on = ((ranks - 2.0) / (ranks - 1.0)).powi(2);
    let saved = std::iter::successors(Some(1.0), |before| Some(1.0 + passed_on * before));
    saved.take(r as usize).sum()
}
