//! A root that comes late to a reduction whose other ranks do not wait for it.

use ats_props::{Balance, Communicator, Seconds, property};

use crate::family::rooted::{Rooted, reduce};

/// A root comes late to a reduction, but no rank waits, since the others leave their data and go on.
///
/// The root works `basework` + `rootextrawork`, the others `basework`; then it reduces a value of each.
///
/// ```text
/// root    ├─ work ─┬─ extra ─────┬ MPI_Reduce ┬─ work ─┬─ extra …
/// others  ├─ work ─┬ MPI_Reduce ┬─ work ─┬ MPI_Reduce ┤
/// ```
///
/// A tool that has all wait for the last in any collective operation is wrong. The others are left `r`·`rootextrawork` ahead. A library
/// may hold them back; keep the message small and repetitions few.
#[property(tempts = WaitAtNxN, min_ranks = 2)]
pub fn early_nonroot_reduce(
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
    Rooted { of_root: basework.0 + rootextrawork.0, of_others: basework.0, root, r }.run(
        Balance::Uneven,
        c,
        reduce,
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::family::rooted::assert_nobody_waits;

    #[test]
    fn no_rank_waits() {
        assert_nobody_waits(&PROPERTY, 0.06, 0.01);
    }
}
