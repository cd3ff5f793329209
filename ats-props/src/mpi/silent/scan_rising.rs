//! A prefix reduction that every rank reaches later than those below it.

use ats_mpi::{Op, ReduceOp};
use ats_props::{Balance, Communicator, Distribution, Seconds, property};

use crate::family::uneven::{Uneven, calls};

/// Ranks come to a prefix reduction one after the other, but none waits, since none needs the values of higher ranks.
///
/// Rank 0 works `basework`, the last rank `extrawork` longer, those between them in proportion; then every rank gets
/// the least of its own and all lower ranks' values.
///
/// ```text
/// rank 0  ├─ base ─┬ MPI_Scan ┬─ base ─┬ MPI_Scan ┤
/// rank 1  ├─ base ─┬─ extra ─────┬ MPI_Scan ┬─ base ─┬─ extra …
/// ```
///
/// A tool that has all wait for the last in any collective operation is wrong. Rank i is left `r`·`extrawork`·(1 − i/(P−1))
/// ahead of the last. A library may have all ranks wait for each other here.
#[property(tempts = WaitAtNxN, min_ranks = 2)]
pub fn scan_rising(
    /// Work of rank 0 in a repetition.
    #[default(Seconds(0.01))]
    basework: Seconds,
    /// Extra work of the last rank.
    #[default(Seconds(0.05))]
    extrawork: Seconds,
    /// Number of repetitions.
    #[default(10)]
    r: usize,
    c: &dyn Communicator,
) {
    let work = Distribution::linear(basework.0, basework.0 + extrawork.0);
    Uneven { work, r }.run(
        Balance::Uneven,
        c,
        calls(Op::Scan { op: ReduceOp::Min, send: c.base_buf(), recv: c.base_buf() }, c),
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::assert_nobody_waits;

    #[test]
    fn no_rank_waits() {
        let end = |rank: usize, ranks: usize| 0.01 + 0.05 * rank as f64 / (ranks.max(2) - 1) as f64;
        assert_nobody_waits(&PROPERTY, &[], end);
    }
}
