//! A solver without a defect.

use ats_props::{Communicator, Seconds, property};

use crate::family::heat::{STEPS, Solver, Work};

/// A solver of the heat equation on a grid of ranks exchanges halos while it works, and no rank waits.
///
/// Every rank has as many points; the ranks are a grid as square as their number allows. In each step a rank starts
/// to receive from its two to four neighbours (in one row, one or two), works `border` on the points at its border,
/// starts to send them, works `interior`, and completes all in one `MPI_Waitall`. After every ten steps the residual is
/// combined for all.
///
/// ```text
/// all  ┬─ border ─┬─ interior ─────┬ MPI_Waitall ┬ … ┬ MPI_Allreduce ┤
///  MPI_Irecv  MPI_Isend
/// ```
///
/// A tool that counts a late sender from the start of the receive is wrong, and so is one that takes each collective
/// operation for a wait. The properties `heat_solver_…` have one defect each. Eager sends are probed at run time. The
/// work has the time of the parameters; values are not computed. The checksum is that of every program: of the work and
/// of all delivered halos.
#[property(tempts = LateSender, tempts = WaitAtNxN, min_ranks = 2, send_mode = Standard)]
pub fn heat_solver(
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
) {
    let solver = Solver::new(c);
    for _ in 0..r {
        for _ in 0..STEPS {
            solver.step(Work { border: border.0, interior: interior.0 });
        }
        solver.residual();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::assert_nobody_waits;

    #[test]
    fn no_rank_waits() {
        assert_nobody_waits(&PROPERTY, &[], |_, _| 10.0 * (0.008 + 0.032));
    }
}
