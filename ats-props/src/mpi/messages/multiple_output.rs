//! A rank that makes its messages one after the other.

use ats_mpi::{Communicator, SendMode, mpi_commpattern_one_to_all};
use ats_props::{Balance, Distribution, Seconds, property};

use crate::family::between::Between;

/// All ranks wait for messages that one rank makes and sends one after the other.
///
/// Rank 0 sends to each of the others in turn, with `work` before each message; the others only receive.
///
/// ```text
/// rank 0  ├─ work ──────┬ MPI_Ssend ┬─ work ──────┬ MPI_Ssend ┤
/// rank 1  ├─ MPI_Recv ··┤
/// rank 2  ├─ MPI_Recv ····························┤
///         └─ waits ───────────────────────────────┘
/// ```
///
/// The cause is at rank 0, which does not wait. Rank j is left (P−1−j)·`work` ahead of the last. No other wait state
/// shows.
#[property(
    finds = LateSender,
    formula = work * (P * (P - 1) / 2 + (r - 1) * (P - 1) * (P - 1)),
    at = "mpi_commpattern_one_to_all/MPI_Recv",
    each = if i > 0 { work * (i + (r - 1) * (P - 1)) },
    cause = if P > 2 { MultipleOutput } else { UnevenWork },
    min_ranks = 2,
    send_mode = Synchronous
)]
pub fn multiple_output(
    /// Work of rank 0 before each message.
    #[default(Seconds(0.01))]
    work: Seconds,
    /// Number of repetitions.
    #[default(10)]
    r: usize,
    c: &dyn Communicator,
    balance: Balance,
) {
    let others = c.size() as f64 - 1.0;
    let between = Distribution::peak(0.0, others * work.0, 0);
    let work = Between { before: Distribution::same(0.0), between, r };
    let buf = c.base_buf();
    work.run(balance, c, |work| mpi_commpattern_one_to_all(&buf, work / others, SendMode::Synchronous, c));
}
