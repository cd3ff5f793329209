//! Output through one rank.

use ats_props::{Balance, Communicator, Seconds, do_work, property, region};

/// All wait while one rank writes what it has collected from them.
///
/// In each repetition every rank works `work`, and the results are gathered at rank 0. It writes them, which takes
/// `output` in the region `write`, and then all meet at a barrier.
///
/// ```text
/// rank 0  ├─ work ─┬ MPI_Gather ┬─ write ─────┬ MPI_Barrier ┤
/// others  ├─ work ─┬ MPI_Gather ┬─ MPI_Barrier ·············┤
///                               └─ waits ─────┘
/// ```
///
/// The output is the cause, and it is on the rank that does not wait. No rank waits in the gather, no skew is left,
/// and no other wait state shows.
#[property(
    finds = WaitAtBarrier,
    formula = r * (P - 1) * output,
    at = "MPI_Barrier",
    each = if i > 0 { r * output },
    cause = if P > 2 { LackOfParallelism } else { LateArrival },
    min_ranks = 2
)]
pub fn serialized_output(
    /// Work of every rank in a repetition.
    #[default(Seconds(0.01))]
    work: Seconds,
    /// Time that the output takes.
    #[default(Seconds(0.05))]
    output: Seconds,
    /// Number of repetitions.
    #[default(10)]
    r: usize,
    c: &dyn Communicator,
    balance: Balance,
) {
    // In the twin every rank writes its part.
    let of_rank = if c.rank() == 0 { output.0 } else { 0.0 };
    let share = balance.pick(of_rank, output.0 / c.size() as f64);
    let send = c.base_buf();
    let recv = (c.rank() == 0).then(|| c.base_buf_per_rank());
    for _ in 0..r {
        do_work(work.0);
        c.gather(0, &send, recv.as_ref());
        if share > 0.0 {
            let _region = region("write");
            do_work(share);
        }
        c.barrier();
    }
}
