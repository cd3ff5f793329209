//! Waiting for the last to make a communicator of a group.

use ats_props::{Balance, Communicator, Distribution, property};

use crate::family::uneven::Uneven;

/// Ranks wait where they make a communicator of a group because their work is distributed unevenly.
///
/// Every rank works for its share of `distribution`, then all make a communicator of
/// the group of all, and free it.
///
/// ```text
/// low   ├─ low ──┬─ MPI_Comm_create ·········┤ MPI_Comm_free ┤
/// high  ├─ high ─┼─────────┬─ MPI_Comm_create┤ MPI_Comm_free ┤
///                └─ waits ─┘
/// ```
///
/// The call is one of all ranks of the communicator, and none has the new one before the last has come. No skew is
/// left, and no other wait state shows.
#[property(
    finds = WaitAtCommunicatorManagement,
    at = "MPI_Comm_create",
    each = r * (max(distribution) - distribution[i]),
    cause = if alone(distribution) { LackOfParallelism } else { LateArrival },
    min_ranks = 2
)]
pub fn imbalance_at_comm_create(
    /// Work of each rank in a repetition.
    #[default(Distribution::block2(0.01, 0.06))]
    distribution: Distribution,
    /// Number of repetitions.
    #[default(10)]
    r: usize,
    c: &dyn Communicator,
    balance: Balance,
) {
    let all: Vec<usize> = (0..c.size()).collect();
    Uneven { work: distribution, r }.run(balance, c, || {
        if let Some(made) = c.create(&all) {
            made.free();
        }
    });
}
