//! A solver with a slow rank.

use ats_props::{Communicator, Distribution, Seconds, property};

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
/// is in its next step by then, and has sent: if D(d−1, k−1) > `border` + `interior` + D(d+1, k). No skew is left, and
/// no other wait state shows. Eager sends are probed at run time.
#[property(
    finds = LateSender,
    formula = "W = r·Σ max(0, (10−d)·extrawork − d·interior) over ranks d = 1 … 10 steps from the slow one, \
               less those in the wrong order",
    cause = BlockedSender,
    cause = UnevenWork,
    cause = LackOfParallelism,
    finds = LateSenderWrongOrderDifferentSources,
    formula = "W = the part of it for which a rank further away has sent its next halo, by recurrence",
    cause = BlockedSender,
    cause = UnevenWork,
    cause = LackOfParallelism,
    finds = WaitAtNxN,
    formula = "W = 10·r·(P−1)·extrawork − the waits for messages",
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
) {
    let extra = Distribution::peak(0.0, extrawork.0, slow % c.size());
    solve([border, interior], &extra, r, c);
}

/// All ranks share the extra work.
pub fn balanced(
    border: Seconds,
    interior: Seconds,
    extrawork: Seconds,
    slow: usize,
    r: usize,
    c: &dyn Communicator,
) {
    let extra = Distribution::peak(0.0, extrawork.0, slow % c.size()).balanced(c.size());
    solve([border, interior], &extra, r, c);
}

fn solve([border, interior]: [Seconds; 2], extra: &Distribution, r: usize, c: &dyn Communicator) {
    let solver = Solver::new(c);
    let extra = extra.value(c.rank(), c.size(), 1.0);
    for _ in 0..r {
        for _ in 0..STEPS {
            solver.step(Work { border: border.0, interior: interior.0 + extra });
        }
        solver.residual();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::family::heat::tests::Travelling;

    #[test]
    fn the_delay_travels_one_neighbour_a_step() {
        for (extrawork, extra, slow) in [("32ms", 0.032, 0), ("240ms", 0.24, 40), ("4ms", 0.004, 3)] {
            let late = |away: usize, step: usize| {
                let (late_steps, away) = (step.saturating_sub(away) as f64, away as f64);
                f64::max(0.0, late_steps * extra - away * 0.032)
            };
            Travelling { from: slow, late: &late, step: 0.04 }
                .assert(&PROPERTY, &[("extrawork", extrawork), ("slow", &slow.to_string())]);
        }
    }
}
