//! Ranks that work one after the other.

use ats_mpi::{Communicator, SendMode, mpi_commpattern_chain};
use ats_props::{Balance, Distribution, Seconds, property};

use crate::family::between::Between;

/// Only one rank works at a time, since each needs the result of the one below.
///
/// Each rank receives from the rank below, works `work` and sends to the rank above, once.
///
/// ```text
/// rank 0  ├─ work ─────┬─ MPI_Ssend ┤
/// rank 1  ├─ MPI_Recv ·┬─ work ─────┬─ MPI_Ssend ┤
/// rank 2  ├─ MPI_Recv ··············┬─ work ─────┤
///         └─ waits ─────────────────┘
/// ```
///
/// All have the same work, so the load is balanced; POP's serialisation efficiency is 1/P. Rank i is left (P−1−i)·`work` ahead of
/// the last, and waits as long again where it has to wait for all. No other wait state shows.
#[property(
    finds = LateSender,
    formula = work * P * (P - 1) / 2,
    at = "mpi_commpattern_chain/MPI_Recv",
    each = i * work,
    cause = if P > 2 { BlockedSender } else { UnevenWork },
    min_ranks = 2,
    send_mode = Synchronous
)]
pub fn serialized_chain(
    /// Work of every rank.
    #[default(Seconds(0.05))]
    work: Seconds,
    c: &dyn Communicator,
    balance: Balance,
) {
    let work = Between { before: Distribution::same(0.0), between: Distribution::same(work.0), r: 1 };
    let buf = c.base_buf();
    work.run(balance, c, |work| mpi_commpattern_chain(&buf, work, SendMode::Synchronous, c));
}
