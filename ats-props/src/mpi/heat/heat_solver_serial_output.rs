//! A solver with output through one rank.

use ats_props::{Balance, Communicator, Seconds, do_work, property, region};

use crate::family::heat::travelling::{Travelling, at_last, in_order, in_wrong_order};
use crate::family::heat::{Grid, STEPS, Solver, Work};

/// One rank of a heat solver writes for all, and comes late to its next step; its neighbours wait for it, and then
/// theirs.
///
/// As [`heat_solver`](super::heat_solver), but before each ten steps a line of every rank's points is gathered at rank
/// 0, which writes them; that takes `output` in the region `write`.
///
/// ```text
/// rank 0     ┬ MPI_Gather ┬─ write ──────────────┬ border ┬ interior ┬
/// neighbour  ┬ MPI_Gather ┬ border ┬ interior ┬ MPI_Waitall ·┬
///                                             └── waits ─────┘
/// ```
///
/// No rank waits in the gather, behind which the cause is: each d <= 10 steps from rank 0 waits max(0, `output` −
/// d·`interior`) for messages in step d of a repetition, and at `MPI_Allreduce`, after ten steps, for the rest of
/// `output`. The wait in step d < 10 is one for the wrong order if a neighbour further away is in its next step by
/// then, and has sent (`in_wrong_order`, the others are `in_order`): if `output` − (d−1)·`interior` > `border` + `interior`. A neighbour that has waited for rank 0 waits there for the
/// work inside that rank 0 had left then. No skew is left, and no other wait state shows. Eager sends are probed at run time.
#[property(
    finds = LateSender,
    at = "MPI_Waitall",
    each = r * in_order(delay(border, interior, output, P), i),
    cause = LackOfParallelism,
    finds = LateSenderWrongOrderDifferentSources,
    at = "MPI_Waitall",
    each = r * in_wrong_order(delay(border, interior, output, P), i),
    cause = LackOfParallelism,
    finds = WaitAtNxN,
    at = "MPI_Allreduce",
    each = r * at_last(delay(border, interior, output, P), i),
    cause = LateArrival,
    part = if output > interior { r * neighbours(P) * interior },
    cause = LackOfParallelism,
    min_ranks = 3,
    send_mode = Standard
)]
pub fn heat_solver_serial_output(
    /// Work of every rank at its border in a step.
    #[default(Seconds(0.008))]
    border: Seconds,
    /// Work of every rank inside in a step.
    #[default(Seconds(0.032))]
    interior: Seconds,
    /// Time that the output takes.
    #[default(Seconds(0.22))]
    output: Seconds,
    /// Number of repetitions, of ten steps each.
    #[default(2)]
    r: usize,
    c: &dyn Communicator,
    balance: Balance,
) {
    // In the twin every rank writes its part.
    let of_rank = if c.rank() == 0 { output.0 } else { 0.0 };
    let share = balance.pick(of_rank, output.0 / c.size() as f64);
    let solver = Solver::new(c);
    let collect = solver.collect();
    for _ in 0..r {
        collect();
        if share > 0.0 {
            let _region = region("write");
            do_work(share);
        }
        for _ in 0..STEPS {
            solver.step(Work { border: border.0, interior: interior.0 });
        }
        solver.residual();
    }
}

/// The number of neighbours of rank 0.
fn neighbours(ranks: f64) -> f64 {
    let grid = Grid::for_ranks(ranks as usize);
    (0..ranks as usize).filter(|&rank| grid.diagonal(rank) == 1).count() as f64
}

/// A rank d steps from rank 0 is late from step d on, by what d times the work inside does not hide of the output.
fn delay(border: f64, interior: f64, output: f64, ranks: f64) -> Travelling<impl Fn(usize, usize) -> f64> {
    let late = move |away: usize, step: usize| {
        if away <= step { f64::max(0.0, output - away as f64 * interior) } else { 0.0 }
    };
    Travelling { ranks: ranks as usize, from: 0, late, step: border + interior }
}
