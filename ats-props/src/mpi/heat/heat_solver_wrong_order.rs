//! A solver that receives its halos in the wrong order.

use ats_props::{Balance, Communicator, Seconds, property};

use crate::family::heat::{Grid, STEPS, Solver, Work};

/// Ranks of a heat solver receive first from the side that sends last, while the halo of the other side lies ready.
///
/// As [`heat_solver`](super::heat_solver), but the ranks are one row, and the borders are a front that goes along it, up
/// in one step and down in the next: `stagger` times the number of ranks before a rank is its additional work at the
/// border, and `stagger` times the number of those behind it inside. All ranks have the same work in each step. Halos
/// are received one after the other before the work inside: from the upper neighbour first, and in the next step from
/// the lower.
///
/// ```text
/// lower  ┬ border ┬ MPI_Isend …
/// rank   ┬ border ── stagger ─┬ MPI_Recv (of upper) ··┬ MPI_Recv (of lower) ┬ interior ┬
/// upper  ┬ border ──── 2 stagger ─────────┬ MPI_Isend …
///                             └── waits ──┘
/// ```
///
/// Every rank loses 10·`stagger` in a repetition. Rank 0 and the last rank, which have one neighbour, wait for twice
/// `stagger` in every other step, in the right order: their neighbours are late senders. Rank 0 waits for `stagger` in
/// the first step, and at `MPI_Allreduce`. In a grid the halos of two neighbours would be sent at the same time, and
/// chance would order them. The twin has half of the staggered work at the border. No skew is left, and no other wait
/// state shows. Eager sends are probed at run time.
#[property(
    finds = LateSenderWrongOrderDifferentSources,
    formula = 10 * r * (P - 2) * stagger,
    at = "MPI_Recv",
    each = if i > 0 && i + 1 < P { 10 * r * stagger },
    cause = WrongOrder,
    finds = LateSender,
    formula = 19 * r * stagger,
    at = "MPI_Recv",
    each = if i == 0 { 9 * r * stagger } else if i + 1 == P { 10 * r * stagger },
    cause = if P > 3 { UnevenWork } else { LackOfParallelism },
    also = WaitAtNxN,
    at = "MPI_Allreduce",
    each = if i == 0 { r * stagger },
    min_ranks = 3,
    send_mode = Standard
)]
pub fn heat_solver_wrong_order(
    /// Work of every rank at its border in a step.
    #[default(Seconds(0.008))]
    border: Seconds,
    /// Work of every rank inside in a step.
    #[default(Seconds(0.032))]
    interior: Seconds,
    /// Work that a rank has more at the border, and less inside, than the one before it.
    #[default(Seconds(0.02))]
    stagger: Seconds,
    /// Number of repetitions, of ten steps each.
    #[default(2)]
    r: usize,
    c: &dyn Communicator,
    balance: Balance,
) {
    let (before, all) = (c.rank() as f64, (c.size() - 1) as f64);
    let solver = Solver::on(Grid::row(c.size()), c);
    for _ in 0..r {
        for step in 0..STEPS {
            let goes_up = step.is_multiple_of(2);
            let at_border = balance.pick(if goes_up { before } else { all - before }, all / 2.0);
            let work = Work {
                border: border.0 + stagger.0 * at_border,
                interior: interior.0 + stagger.0 * (all - at_border),
            };
            solver.step_one_by_one(work, goes_up);
        }
        solver.residual();
    }
}
