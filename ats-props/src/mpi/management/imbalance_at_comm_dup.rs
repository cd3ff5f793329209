//! Waiting for the last to duplicate a communicator.

use ats_props::{Balance, Communicator, Distribution, property};

use crate::family::uneven::Uneven;

/// Ranks wait where they duplicate a communicator because their work is distributed unevenly.
///
/// Every rank works for its share of `distribution`, then all duplicate the
/// communicator, and free the duplicate.
///
/// ```text
/// low   ├─ low ──┬─ MPI_Comm_dup ·········┤ MPI_Comm_free ┤
/// high  ├─ high ─┼─────────┬─ MPI_Comm_dup┤ MPI_Comm_free ┤
///                └─ waits ─┘
/// ```
///
/// A duplicate needs a number that is free on every rank, so none has it before the last has come. It is freed by every
/// rank for itself: an application that does without that runs out of communicators. No skew is left, and no other wait
/// state shows.
#[property(
    finds = WaitAtCommunicatorManagement,
    at = "MPI_Comm_dup",
    each = r * (max(distribution) - distribution[i]),
    cause = if alone(distribution) { LackOfParallelism } else { LateArrival },
    min_ranks = 2
)]
pub fn imbalance_at_comm_dup(
    /// Work of each rank in a repetition.
    #[default(Distribution::block2(0.01, 0.06))]
    distribution: Distribution,
    /// Number of repetitions.
    #[default(10)]
    r: usize,
    c: &dyn Communicator,
    balance: Balance,
) {
    Uneven { work: distribution, r }.run(balance, c, || c.dup().free());
}
