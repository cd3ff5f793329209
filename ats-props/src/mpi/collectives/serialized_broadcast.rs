//! A broadcast between the work of its root and that of all others.

use ats_props::{Balance, Communicator, Distribution, Seconds, do_work, property};

use crate::family::between::Between;

/// The others wait for the broadcast of a root, and then the root for them.
///
/// Rank 0 works `work` and broadcasts; the others work as long when they have its message. A barrier ends the repetition.
///
/// ```text
/// rank 0  ├─ work ──────┬ MPI_Bcast ┬─ MPI_Barrier ···┤
/// others  ├─ MPI_Bcast ·┬─ work ──────┬ MPI_Barrier ──┤
///         └─ wait ──────┘
/// ```
///
/// All have the same work, so the load is balanced; POP's serialisation efficiency is one half. No skew is left, and no other
/// wait state shows.
#[property(
    finds = LateBroadcast,
    formula = r * (P - 1) * work,
    at = "MPI_Bcast",
    each = if i > 0 { r * work },
    cause = if P > 2 { LackOfParallelism } else { UnevenWork },
    finds = WaitAtBarrier,
    at = "MPI_Barrier",
    each = if i == 0 { r * work },
    cause = LateArrival,
    min_ranks = 2
)]
pub fn serialized_broadcast(
    /// Work of every rank in a repetition.
    #[default(Seconds(0.03))]
    work: Seconds,
    /// Number of repetitions.
    #[default(10)]
    r: usize,
    c: &dyn Communicator,
    balance: Balance,
) {
    let work = Between {
        before: Distribution::peak(0.0, work.0, 0),
        between: Distribution::peak(work.0, 0.0, 0),
        r,
    };
    let buf = c.base_buf();
    let broadcast = move |work| {
        c.bcast(0, &buf);
        do_work(work);
        c.barrier();
    };
    work.run(balance, c, broadcast);
}
