//! Access to something that only the holder of a token may touch.

use ats_mpi::{Communicator, SendMode, Source, Tag};
use ats_props::{Balance, Seconds, do_work, property, region};

/// Ranks write one after the other, since each waits for a token from the one below.
///
/// In each repetition each rank receives the token from the rank below, works `work` in the region `write` and passes
/// the token on to the rank above; then every rank meets at a barrier.
///
/// ```text
/// rank 0  ├─ write ──┬ MPI_Ssend ┬─ MPI_Barrier ···························┤
/// rank 1  ├─ MPI_Recv ··········┬─ write ──┬ MPI_Ssend ┬─ MPI_Barrier ·····┤
/// rank 2  ├─ MPI_Recv ·····························┬─ write ──┬ MPI_Barrier ┤
/// ```
///
/// All have the same work, so the load is balanced; POP's serialisation efficiency is 1/P. Rank i waits r·i·`work` for
/// the token, and r·(P−1−i)·`work` at the barrier: (P−1)·`work` in each repetition, for every rank. No skew is left,
/// and no other wait state shows.
#[property(
    finds = LateSender,
    formula = r * work * P * (P - 1) / 2,
    at = "MPI_Recv",
    each = r * i * work,
    cause = if P > 2 { BlockedSender } else { UnevenWork },
    finds = WaitAtBarrier,
    formula = r * work * P * (P - 1) / 2,
    at = "MPI_Barrier",
    each = r * (P - 1 - i) * work,
    cause = if P > 2 { BlockedSender } else { LateArrival },
    min_ranks = 2,
    send_mode = Synchronous
)]
pub fn token_serialized_access(
    /// Work of every rank while it has the token.
    #[default(Seconds(0.02))]
    work: Seconds,
    /// Number of repetitions.
    #[default(10)]
    r: usize,
    c: &dyn Communicator,
    balance: Balance,
) {
    // In the twin all write at the same time, before they get the token.
    let [before, meanwhile] = balance.pick([0.0, work.0], [work.0, 0.0]);
    let token = c.base_buf();
    for _ in 0..r {
        write(before);
        if c.rank() > 0 {
            c.recv(Source::Rank(c.rank() - 1), Tag::Is(TAG), &token);
        }
        write(meanwhile);
        if c.rank() + 1 < c.size() {
            c.send_as(SendMode::Synchronous, c.rank() + 1, TAG, &token);
        }
        c.barrier();
    }
}

const TAG: u32 = 1;

fn write(work: f64) {
    if work > 0.0 {
        let _region = region("write");
        do_work(work);
    }
}
