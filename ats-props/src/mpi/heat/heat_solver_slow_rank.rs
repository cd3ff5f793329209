//! A solver with a slow rank.

use ats_props::{Balance, Communicator, Distribution, Seconds, property};

use crate::family::heat::travelling::{Travelling, at_last, in_order, in_wrong_order};
use crate::family::heat::{STEPS, Solver, Work};

/// One rank of a heat solver has more to do in each step; its neighbours wait for it, and then theirs.
///
/// As [`heat_solver`](super::heat_solver), but rank `slow` (modulo the number of ranks) works `extrawork` longer
/// inside.
///
/// ```text
/// slow       ┬ border ┬ interior ┬─ extra ─┬ border ┬ interior ┬─ extra ─┬
/// neighbour  ┬ border ┬ interior ┬ border ┬ interior ┬ MPI_Waitall ·┬
///                                                    └── waits ─────┘
/// ```
///
/// The delay travels one neighbour a step, and each rank on its way hides `interior` of it behind its own work: after k
/// steps, a rank d steps from the slow one in the grid is D(d, k) = max(0, (k−d)·`extrawork` − d·`interior`) late. It
/// waits D(d, 10) for messages in a repetition, and at `MPI_Allreduce` for the rest of 10·`extrawork`: distant ranks
/// show no late sender, and the same loss. A wait in step k < 10 is one for the wrong order if a neighbour further away
/// is in its next step by then, and has sent (`in_wrong_order`, the others are `in_order`): if D(d−1, k−1) > `border` + `interior` + D(d+1, k). No skew is left, and
/// no other wait state shows. Eager sends are probed at run time.
#[property(
    finds = LateSender,
    at = "MPI_Waitall",
    each = r * in_order(delay(border, interior, extrawork, slow, P), i),
    cause = if P == 3 && slow % P == 1 { LackOfParallelism } else { UnevenWork },
    finds = LateSenderWrongOrderDifferentSources,
    at = "MPI_Waitall",
    each = r * in_wrong_order(delay(border, interior, extrawork, slow, P), i),
    cause = if P == 3 && slow % P == 1 { LackOfParallelism } else { UnevenWork },
    finds = WaitAtNxN,
    at = "MPI_Allreduce",
    each = r * at_last(delay(border, interior, extrawork, slow, P), i),
    cause = LateArrival,
    min_ranks = 3,
    send_mode = Standard
)]
pub fn heat_solver_slow_rank(
    /// Work of every rank at its border in a step.
    #[default(Seconds(0.008))]
    border: Seconds,
    /// Work of every rank inside in a step.
    #[default(Seconds(0.032))]
    interior: Seconds,
    /// Extra work of the slow rank inside in a step.
    #[default(Seconds(0.032))]
    extrawork: Seconds,
    /// The slow rank.
    #[default(0)]
    slow: usize,
    /// Number of repetitions, of ten steps each.
    #[default(2)]
    r: usize,
    c: &dyn Communicator,
    balance: Balance,
) {
    let extra = balance.share(Distribution::peak(0.0, extrawork.0, slow % c.size()), c.size());
    let work = Work { border: border.0, interior: interior.0 + extra.value(c.rank(), c.size(), 1.0) };
    let solver = Solver::new(c);
    for _ in 0..r {
        for _ in 0..STEPS {
            solver.step(work);
        }
        solver.residual();
    }
}

/// The delay of the slow rank: D(d, k) after k steps, d steps away.
fn delay(
    border: f64,
    interior: f64,
    extrawork: f64,
    slow: f64,
    ranks: f64,
) -> Travelling<impl Fn(usize, usize) -> f64> {
    let late = move |away: usize, step: usize| {
        let (late_steps, away) = (step.saturating_sub(away) as f64, away as f64);
        f64::max(0.0, late_steps * extrawork - away * interior)
    };
    Travelling { ranks: ranks as usize, from: slow as usize, late, step: border + interior }
}
