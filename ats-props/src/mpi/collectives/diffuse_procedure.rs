//! A procedure that every rank is slow in, one after the other.

use ats_props::{Balance, Communicator, Seconds, do_work, property, region};

/// All ranks wait at a barrier while one executes a procedure, each time another one.
///
/// In repetition k rank k modulo P works `work` in the region `procedure`, and every rank goes to a barrier.
///
/// ```text
/// rank 0  ├─ procedure ─┬─ MPI_Barrier ─┬─ MPI_Barrier ············┤
/// rank 1  ├─ MPI_Barrier ···············┬─ procedure ─┬ MPI_Barrier┤
///         └─ waits ─────┘               └─ waits ─────┘
/// ```
///
/// Each rank spends only one P-th of the time in the procedure, so its profile shows nothing odd, while the critical path is
/// nothing but the procedure. No skew is left, and no other wait state shows.
#[property(
    finds = WaitAtBarrier,
    formula = r * (P - 1) * work,
    at = "MPI_Barrier",
    each = work * (r - floor((r + P - 1 - i) / P)),
    cause = if alone(0..P, |j| floor((r + P - 1 - j) / P)) { LackOfParallelism } else { LateArrival },
    min_ranks = 2
)]
pub fn diffuse_procedure(
    /// Work in the procedure.
    #[default(Seconds(0.02))]
    work: Seconds,
    /// Number of repetitions.
    #[default(10)]
    r: usize,
    c: &dyn Communicator,
    balance: Balance,
) {
    // In the twin all execute a P-th part of the procedure each time.
    let share = balance.pick(work.0, work.0 / c.size() as f64);
    for repetition in 0..r {
        if balance == Balance::Even || repetition % c.size() == c.rank() {
            procedure(share);
        }
        c.barrier();
    }
}

fn procedure(work: f64) {
    let _region = region("procedure");
    do_work(work);
}
