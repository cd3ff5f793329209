//! Waiting for the last to split a communicator.

use ats_props::{Balance, Communicator, Distribution, property};

use crate::family::uneven::Uneven;

/// Ranks wait where they split a communicator because their work is distributed unevenly.
///
/// Every rank works for its share of `distribution`, then all split the communicator
/// into even and odd ranks, and free their part.
///
/// ```text
/// low   ├─ low ──┬─ MPI_Comm_split ·········┤ MPI_Comm_free ┤
/// high  ├─ high ─┼─────────┬─ MPI_Comm_split┤ MPI_Comm_free ┤
///                └─ waits ─┘
/// ```
///
/// A rank learns from the colours of all who is in its part, so none has it before the last has come, in whichever part
/// that is. No skew is left, and no other wait state shows.
#[property(
    finds = WaitAtCommunicatorManagement,
    at = "MPI_Comm_split",
    each = r * (max(distribution) - distribution[i]),
    cause = if alone(distribution) { LackOfParallelism } else { LateArrival },
    min_ranks = 2
)]
pub fn imbalance_at_comm_split(
    /// Work of each rank in a repetition.
    #[default(Distribution::block2(0.01, 0.06))]
    distribution: Distribution,
    /// Number of repetitions.
    #[default(10)]
    r: usize,
    c: &dyn Communicator,
    balance: Balance,
) {
    let color = (c.rank() % 2) as u32;
    Uneven { work: distribution, r }.run(balance, c, || {
        if let Some(part) = c.split(Some(color), c.rank() as i32) {
            part.free();
        }
    });
}
