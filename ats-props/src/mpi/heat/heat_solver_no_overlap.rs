//! A solver that waits for its messages before it goes on.

use ats_props::{Balance, Communicator, Seconds, property};

use crate::family::heat::{Grid, STEPS, Solver, Work};

/// A heat solver asks for its halos before it works inside, though its work would hide that neighbours send later.
///
/// As [`heat_solver`](super::heat_solver), but `moving` of every rank's work is at the border or inside: at the border
/// on every other rank of the grid, as on the black fields of a chessboard, and in the next step on the white ones. All
/// ranks have the same work in each step. `MPI_Waitall` is before the work inside.
///
/// ```text
/// black  ┬ border ┬─ moving ─┬ MPI_Waitall ┬ interior ┬ border ┬ MPI_Waitall ···········
/// white  ┬ border ┬ MPI_Waitall ┬ interior ┬─ moving ─┬ border ┬─ moving ─┬ MPI_Waitall ┬
///                 └── waits ─┘
/// ```
///
/// Half of the ranks wait for `moving` in the first step, and for twice that in all others: they have come earlier,
/// too. The twin waits at the end of a step, where `heat_solver` does, and shows nothing. Black ranks, which are an
/// even number of steps from rank 0 (`diagonal`), wait 10·`moving` in a repetition; white ones 9·`moving`, and `moving` at `MPI_Allreduce`. No skew is left, and no other wait state
/// shows. Eager sends are probed at run time.
#[property(
    finds = LateSender,
    formula = r * moving * (10 * ceil(P / 2) + 9 * floor(P / 2)),
    at = "MPI_Waitall",
    each = if even(diagonal(P, i)) { 10 * r * moving } else { 9 * r * moving },
    cause = if P > 2 { UnevenWork } else { Turns },
    also = WaitAtNxN,
    at = "MPI_Allreduce",
    each = if odd(diagonal(P, i)) { r * moving },
    min_ranks = 2,
    send_mode = Standard
)]
pub fn heat_solver_no_overlap(
    /// Work of every rank at its border in a step.
    #[default(Seconds(0.008))]
    border: Seconds,
    /// Work of every rank inside in a step.
    #[default(Seconds(0.032))]
    interior: Seconds,
    /// Work of every rank in a step that is at the border in one step and inside in the next.
    #[default(Seconds(0.016))]
    moving: Seconds,
    /// Number of repetitions, of ten steps each.
    #[default(2)]
    r: usize,
    c: &dyn Communicator,
    balance: Balance,
) {
    let (solver, work) = (Solver::new(c), work(border, interior, moving, c));
    for _ in 0..r {
        for step in 0..STEPS {
            match balance {
                Balance::Uneven => solver.step_in_turn(work(step)),
                Balance::Even => solver.step(work(step)),
            }
        }
        solver.residual();
    }
}

/// The number of steps from rank 0 in the grid.
fn diagonal(ranks: f64, rank: f64) -> f64 {
    Grid::for_ranks(ranks as usize).diagonal(rank as usize) as f64
}

/// The work of the rank in a step of a repetition.
fn work(
    border: Seconds,
    interior: Seconds,
    moving: Seconds,
    c: &dyn Communicator,
) -> impl Fn(usize) -> Work + use<> {
    let diagonal = Grid::for_ranks(c.size()).diagonal(c.rank());
    move |step| {
        let is_at_border = (diagonal + step).is_multiple_of(2);
        let [at_border, inside] = if is_at_border { [moving.0, 0.0] } else { [0.0, moving.0] };
        Work { border: border.0 + at_border, interior: interior.0 + inside }
    }
}
