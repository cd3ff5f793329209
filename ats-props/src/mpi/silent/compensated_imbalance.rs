//! Two functions whose work is distributed unevenly, and evenly together.

use ats_mpi::par_do_mpi_work;
use ats_props::{Communicator, Distribution, Seconds, property, region};

/// Each of two functions has uneven work, but no rank waits, since a rank with more to do in one has less in the
/// other.
///
/// The lower half of the ranks works `low` in the region `rising`, the upper half `high`; in the region `falling` it is the
/// other way round. A barrier ends the repetition.
///
/// ```text
/// lower half  ├─ rising ─┬─ falling ──────────┬ MPI_Barrier ┤
/// upper half  ├─ rising ──────────┬─ falling ─┬ MPI_Barrier ┤
/// ```
///
/// A tool that concludes waits from the imbalance of functions is wrong. No skew is left.
#[property(tempts = WaitAtBarrier, min_ranks = 2)]
pub fn compensated_imbalance(
    /// Work of the half that has less.
    #[default(Seconds(0.01))]
    low: Seconds,
    /// Work of the half that has more.
    #[default(Seconds(0.05))]
    high: Seconds,
    /// Number of repetitions.
    #[default(10)]
    r: usize,
    c: &dyn Communicator,
) {
    let work = |name, low: Seconds, high: Seconds| {
        let _region = region(name);
        par_do_mpi_work(&Distribution::block2(low.0, high.0), 1.0, c);
    };
    for _ in 0..r {
        work("rising", low, high);
        work("falling", high, low);
        c.barrier();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::assert_nobody_waits;

    #[test]
    fn no_rank_waits() {
        assert_nobody_waits(&PROPERTY, &[], |_, _| 0.06);
    }
}
