//! A root that waits for its senders in MPI_Reduce.

use ats_mpi::{Communicator, ReduceOp, par_do_mpi_work};
use ats_props::{Distribution, Seconds, property};

/// A root waits for the data of ranks that have more to do.
///
/// The root works `rootwork`, the others `rootwork` + `baseextrawork`; then it reduces a value of each, and the root has to wait for them.
/// The others leave their data and go on.
///
/// ```text
/// root    ├─ work ─┬─ MPI_Reduce ············┤
/// others  ├─ work ─┼─ extra ─┬─ MPI_Reduce ──┤
///                  └─ waits ─┘
/// ```
///
/// One rank waits, so with the same numbers the severity is P−1 times smaller than that of a late broadcast. A library that
/// reduces by an allreduce makes everybody wait.
#[property(finds = EarlyReduce, formula = "W = r·baseextrawork, at the root", min_ranks = 2)]
pub fn early_reduce(
    /// Work of the root in a repetition.
    #[default(Seconds(0.01))]
    rootwork: Seconds,
    /// What the others work longer: how early the root is.
    #[default(Seconds(0.05))]
    baseextrawork: Seconds,
    /// The root's rank; counted modulo the number of ranks.
    #[default(0)]
    root: usize,
    /// Repetitions.
    #[default(10)]
    r: usize,
    c: &dyn Communicator,
) {
    let root = root % c.size();
    reduce(&work(rootwork, baseextrawork, root), root, r, c);
}

/// The root and the others share the extra work.
pub fn balanced(rootwork: Seconds, baseextrawork: Seconds, root: usize, r: usize, c: &dyn Communicator) {
    let root = root % c.size();
    reduce(&work(rootwork, baseextrawork, root).balanced(c.size()), root, r, c);
}

fn work(rootwork: Seconds, baseextrawork: Seconds, root: usize) -> Distribution {
    Distribution::peak(rootwork.0 + baseextrawork.0, rootwork.0, root)
}

fn reduce(work: &Distribution, root: usize, r: usize, c: &dyn Communicator) {
    let send = c.base_buf();
    let recv = (c.rank() == root).then(|| c.base_buf());
    for _ in 0..r {
        par_do_mpi_work(work, 1.0, c);
        c.reduce(ReduceOp::Min, root, &send, recv.as_ref());
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
                let waits = |rank| if rank == root % ranks && ranks > 1 { 4.0 * 0.05 } else { 0.0 };
                let given = [("root", &*root.to_string()), ("r", "4")];
                assert_waits(&PROPERTY, ranks, &given, &["early_reduce", "MPI_Reduce"], waits);
            }
        }
    }

    #[test]
    fn its_twin_shows_nothing() {
        (1..=33).for_each(|ranks| assert_silent(&PROPERTY, ranks, &[("root", "2")]));
    }
}
