//! A solver with a barrier that does nothing.

use ats_props::{Balance, Communicator, Counter, MpiFunction, Seconds, property};

use crate::family::heat::{STEPS, Solver, Work};

/// A heat solver has a barrier before each allreduce, which waits for all itself.
///
/// As [`heat_solver`](super::heat_solver), but all ranks meet at a barrier before the residual is combined.
///
/// ```text
/// all  ┬ ten steps ┬ MPI_Barrier ┬ MPI_Allreduce ┤
/// ```
///
/// All ranks come at the same time, so none waits, and no wait state shows: the finding is the number of barriers. The
/// twin has none. Eager sends are probed at run time.
#[property(
    finds = Count(Counter::VISITS, MpiFunction::Barrier.name()),
    formula = P * r,
    twin = 0,
    finds = Count(Counter::COLLECTIVE_SYNCS, MpiFunction::Barrier.name()),
    formula = P * r,
    twin = 0,
    min_ranks = 2,
    send_mode = Standard
)]
pub fn heat_solver_barrier(
    /// Work of every rank at its border in a step.
    #[default(Seconds(0.008))]
    border: Seconds,
    /// Work of every rank inside in a step.
    #[default(Seconds(0.032))]
    interior: Seconds,
    /// Number of repetitions, of ten steps each.
    #[default(2)]
    r: usize,
    c: &dyn Communicator,
    balance: Balance,
) {
    let (solver, work) = (Solver::new(c), Work { border: border.0, interior: interior.0 });
    for _ in 0..r {
        for _ in 0..STEPS {
            solver.step(work);
        }
        if balance == Balance::Uneven {
            c.barrier();
        }
        solver.residual();
    }
}
