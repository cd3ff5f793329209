//! A collective operation on nothing.

use ats_mpi::Communicator;
use ats_props::{Balance, Seconds, property};

use crate::family::rooted::Rooted;

/// A root that has more to do broadcasts nothing, and no rank waits for it.
///
/// As `late_broadcast`, but with messages of no elements: the root works `basework` + `rootextrawork`, the others
/// `basework`, and then the root broadcasts.
///
/// ```text
/// others  ├─ base ─┬ MPI_Bcast ┬─ base ─┬ MPI_Bcast ┤
/// root    ├─ base ─┬─ extra ─┬ MPI_Bcast ┬─ base ─┬─ extra ─┬ …
/// ```
///
/// Collective operations without payload do not wait, in the model as in the libraries, and Scalasca counts no wait in
/// them. A tool that takes a broadcast after which its root comes for a late one is wrong. The others are left
/// `r`·`rootextrawork` ahead, and wait that long when they have to wait for all.
#[property(tempts = LateBroadcast, min_ranks = 2)]
pub fn zero_payload_collective(
    /// Work of every rank in a repetition.
    #[default(Seconds(0.01))]
    basework: Seconds,
    /// Extra work of the root: its delay.
    #[default(Seconds(0.05))]
    rootextrawork: Seconds,
    /// The root's rank; counted modulo the number of ranks.
    #[default(0)]
    root: usize,
    /// Number of repetitions.
    #[default(10)]
    r: usize,
    c: &dyn Communicator,
) {
    let work = Rooted { of_root: basework.0 + rootextrawork.0, of_others: basework.0, root, r };
    work.run(Balance::Uneven, c, |root, c| {
        let nothing = c.alloc_mpi_buf(c.base_comm().datatype, 0);
        move || c.bcast(root, &nothing)
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::family::rooted::assert_nobody_waits;

    #[test]
    fn no_rank_waits_for_the_root() {
        assert_nobody_waits(&PROPERTY, 0.06, 0.01);
    }
}
