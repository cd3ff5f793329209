//! Ranks that come late to a broadcast whose root does not wait for them.

use ats_props::{Balance, Communicator, Seconds, property};

use crate::family::rooted::{Rooted, broadcast};

/// Ranks come late to a broadcast, but no rank waits, since the root leaves its message and goes on.
///
/// The root works `basework`, the others `basework` + `extrawork`; then it broadcasts a message.
///
/// ```text
/// root    ├─ base ─┬ MPI_Bcast ┬─ base ─┬ MPI_Bcast ┤
/// others  ├─ base ─┬─ extra ─────┬ MPI_Bcast ┬─ base ─┬─ extra …
/// ```
///
/// A tool that has all wait for the last in any collective operation is wrong. The root is left `r`·`extrawork` ahead. A library
/// may hold it back; keep the message small and repetitions few.
#[property(tempts = WaitAtNxN, min_ranks = 2)]
pub fn late_nonroot_broadcast(
    /// Work of every rank in a repetition.
    #[default(Seconds(0.01))]
    basework: Seconds,
    /// Extra work of all but the root: their delay.
    #[default(Seconds(0.05))]
    extrawork: Seconds,
    /// The root's rank; counted modulo the number of ranks.
    #[default(0)]
    root: usize,
    /// Number of repetitions.
    #[default(10)]
    r: usize,
    c: &dyn Communicator,
) {
    Rooted { of_root: basework.0, of_others: basework.0 + extrawork.0, root, r }.run(
        Balance::Uneven,
        c,
        broadcast,
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::family::rooted::assert_nobody_waits;

    #[test]
    fn no_rank_waits() {
        assert_nobody_waits(&PROPERTY, 0.01, 0.06);
    }
}
