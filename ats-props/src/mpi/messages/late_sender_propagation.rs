//! One late rank, and waits that follow from each other.

use ats_mpi::{Communicator, SendMode, mpi_commpattern_chain};
use ats_props::{Balance, Distribution, Seconds, property};

use crate::family::between::Between;

/// All ranks wait because one is late, though each waits for another.
///
/// Every rank works `basework`, rank 0 `extrawork` longer; then each receives from the rank below and sends to the
/// rank above.
///
/// ```text
/// rank 0  ├─ base ─┬─ extra ─┬─ MPI_Ssend ─┤
/// rank 1  ├─ base ─┬─ MPI_Recv ············┬─ MPI_Ssend ─┤
/// rank 2  ├─ base ─┬─ MPI_Recv ··························┤
///                  └─ waits ─┘
/// ```
///
/// All blame belongs to rank 0: rank 1 waits for it directly, the others for ranks that have no more to do than they. Passing
/// on takes no time, so all wait alike, every repetition starts even, and no other wait state shows.
#[property(
    finds = LateSender,
    formula = r * (P - 1) * extrawork,
    at = "mpi_commpattern_chain/MPI_Recv",
    each = if i > 0 { r * extrawork },
    cause = UnevenWork,
    min_ranks = 2,
    send_mode = Synchronous
)]
pub fn late_sender_propagation(
    /// Work of every rank in a repetition.
    #[default(Seconds(0.01))]
    basework: Seconds,
    /// Extra work of rank 0: its delay.
    #[default(Seconds(0.05))]
    extrawork: Seconds,
    /// Number of repetitions.
    #[default(10)]
    r: usize,
    c: &dyn Communicator,
    balance: Balance,
) {
    let before = Distribution::peak(basework.0, basework.0 + extrawork.0, 0);
    let work = Between { before, between: Distribution::same(0.0), r };
    let buf = c.base_buf();
    work.run(balance, c, |work| mpi_commpattern_chain(&buf, work, SendMode::Synchronous, c));
}
