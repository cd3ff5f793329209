//! Waiting for a late root in MPI_Scatterv.

use ats_mpi::{BaseComm, Communicator, par_do_mpi_work};
use ats_props::{Distribution, Seconds, property};

/// Ranks wait for the data of a root that has more to do.
///
/// The root works `basework` + `rootextrawork`, the others `basework`; then it scatters a part to each, and the others have to wait for the
/// root. The root waits for nobody.
///
/// ```text
/// root    ├─ base ─┬─ extra ─┬─ MPI_Scatterv ─┤
/// others  ├─ base ─┼─ MPI_Scatterv ···········┤
///                  └─ waits ─┘
/// ```
///
/// All parts have the default size; a rank whose part were empty would show no wait state in Scalasca. No other wait
/// state shows.
#[property(finds = LateBroadcast, formula = "W = (P−1)·r·rootextrawork", min_ranks = 2)]
pub fn late_scatterv(
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
    let BaseComm { datatype, count } = c.base_comm();
    let buf = c.alloc_mpi_vbuf(datatype, &Distribution::same(count as f64), root);
    for _ in 0..r {
        par_do_mpi_work(work, 1.0, c);
        c.scatterv(&buf);
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
                assert_waits(&PROPERTY, ranks, &given, &["late_scatterv", "MPI_Scatterv"], waits);
            }
        }
    }

    #[test]
    fn its_twin_shows_nothing() {
        (1..=33).for_each(|ranks| assert_silent(&PROPERTY, ranks, &[("root", "2")]));
    }
}
