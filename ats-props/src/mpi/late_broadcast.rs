//! Waiting for a late root in MPI_Bcast.

use ats_mpi::{Communicator, par_do_mpi_work};
use ats_props::{Distribution, Seconds, property};

/// Ranks wait for the data of a root that has more to do.
///
/// The root works `basework` + `rootextrawork`, the others `basework`; then it broadcasts a message, and the others have to wait for the
/// root. The root waits for nobody.
///
/// ```text
/// root    ├─ base ─┬─ extra ─┬─ MPI_Bcast ─┤
/// others  ├─ base ─┼─ MPI_Bcast ···········┤
///                  └─ waits ─┘
/// ```
///
/// The root counts in the communicator, not in the job. No other wait state shows.
#[property(finds = LateBroadcast, formula = "W = (P−1)·r·rootextrawork", min_ranks = 2)]
pub fn late_broadcast(
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
    broadcast(&work(basework, rootextrawork, root), root, r, c);
}

/// The root and the others share the extra work.
pub fn balanced(basework: Seconds, rootextrawork: Seconds, root: usize, r: usize, c: &dyn Communicator) {
    let root = root % c.size();
    broadcast(&work(basework, rootextrawork, root).balanced(c.size()), root, r, c);
}

fn work(basework: Seconds, rootextrawork: Seconds, root: usize) -> Distribution {
    Distribution::peak(basework.0, basework.0 + rootextrawork.0, root)
}

fn broadcast(work: &Distribution, root: usize, r: usize, c: &dyn Communicator) {
    let buf = c.base_buf();
    for _ in 0..r {
        par_do_mpi_work(work, 1.0, c);
        c.bcast(root, &buf);
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
                assert_waits(&PROPERTY, ranks, &given, &["late_broadcast", "MPI_Bcast"], waits);
            }
        }
    }

    #[test]
    fn its_twin_shows_nothing() {
        (1..=33).for_each(|ranks| assert_silent(&PROPERTY, ranks, &[("root", "2")]));
    }
}
