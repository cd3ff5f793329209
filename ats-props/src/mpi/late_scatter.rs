//! Waiting for a late root in MPI_Scatter.

use ats_mpi::{Communicator, par_do_mpi_work};
use ats_props::{Distribution, Seconds, property};

/// Ranks wait for the data of a root that has more to do.
///
/// The root works `basework` + `rootextrawork`, the others `basework`; then it scatters a block to each, and the others have to wait for the
/// root. The root waits for nobody.
///
/// ```text
/// root    ├─ base ─┬─ extra ─┬─ MPI_Scatter ─┤
/// others  ├─ base ─┼─ MPI_Scatter ···········┤
///                  └─ waits ─┘
/// ```
///
/// Only the root has the send buffer. No other wait state shows.
#[property(finds = LateBroadcast, formula = "W = (P−1)·r·rootextrawork", min_ranks = 2)]
pub fn late_scatter(
    /// Work of every rank in a repetition.
    #[default(Seconds(0.01))]
    basework: Seconds,
    /// What the root works longer: how late it is.
    #[default(Seconds(0.05))]
    rootextrawork: Seconds,
    /// The root's rank; counted modulo the number of ranks.
    #[default(0)]
    root: usize,
    /// Repetitions.
    #[default(10)]
    r: usize,
    c: &dyn Communicator,
) {
    let root = root % c.size();
    scatter(&work(basework, rootextrawork, root), root, r, c);
}

/// The root and the others share the extra work.
pub fn balanced(basework: Seconds, rootextrawork: Seconds, root: usize, r: usize, c: &dyn Communicator) {
    let root = root % c.size();
    scatter(&work(basework, rootextrawork, root).balanced(c.size()), root, r, c);
}

fn work(basework: Seconds, rootextrawork: Seconds, root: usize) -> Distribution {
    Distribution::peak(basework.0, basework.0 + rootextrawork.0, root)
}

fn scatter(work: &Distribution, root: usize, r: usize, c: &dyn Communicator) {
    let all = (c.rank() == root).then(|| c.base_buf_per_rank());
    let own = c.base_buf();
    for _ in 0..r {
        par_do_mpi_work(work, 1.0, c);
        c.scatter(root, all.as_ref(), &own);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{assert_silent, assert_waits};

    #[test]
    fn waits_are_those_of_the_closed_form() {
        for ranks in 1..=33 {
            for root in [0, 1, 5, 40] {
                let waits = |rank| if rank != root % ranks { 4.0 * 0.05 } else { 0.0 };
                let given = [("root", &*root.to_string()), ("r", "4")];
                assert_waits(&PROPERTY, ranks, &given, &["late_scatter", "MPI_Scatter"], waits);
            }
        }
    }

    #[test]
    fn its_twin_shows_nothing() {
        (1..=33).for_each(|ranks| assert_silent(&PROPERTY, ranks, &[("root", "2")]));
    }
}
