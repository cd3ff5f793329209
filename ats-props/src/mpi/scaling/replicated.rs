//! Work that every rank does again.

use ats_props::{Communicator, Seconds, do_work, property, region};

/// Every rank does the same work instead of a share of it, and more than one process would: no rank waits.
///
/// In each repetition every rank works `common` in the region `replicated_work`, and `additional` if there are
/// other ranks: work that only a parallel program has. Then it works its share of `parallel`, and a barrier ends the
/// repetition.
///
/// ```text
/// all  ├─ replicated_work ─┬─ parallel/P ─┬ MPI_Barrier ┤
/// ```
///
/// A run with P ranks takes r·(`common` + `additional` + `parallel`/P), without `additional` for P = 1: all of it
/// looks well in a single run, and only the comparison with one rank shows the loss. The twin does as much in all,
/// shared, and none of it in the region. No wait state shows, and no skew is left.
#[property(
    finds = Time("replicated_work"),
    formula = "T = P·r·(common + additional), for P = 1 r·common",
    runs = [1, 2, 4]
)]
pub fn replicated(
    /// Work that every rank does in a repetition.
    #[default(Seconds(0.02))]
    common: Seconds,
    /// Work that every rank does in a repetition if there are several.
    #[default(Seconds(0.005))]
    additional: Seconds,
    /// Work that all ranks share in a repetition.
    #[default(Seconds(0.08))]
    parallel: Seconds,
    /// Number of repetitions.
    #[default(5)]
    r: usize,
    c: &dyn Communicator,
) {
    for _ in 0..r {
        {
            let _region = region("replicated_work");
            do_work(of_each(common, additional, c));
        }
        do_work(parallel.0 / c.size() as f64);
        c.barrier();
    }
}

/// All work is shared.
pub fn balanced(common: Seconds, additional: Seconds, parallel: Seconds, r: usize, c: &dyn Communicator) {
    for _ in 0..r {
        do_work(of_each(common, additional, c) + parallel.0 / c.size() as f64);
        c.barrier();
    }
}

fn of_each(common: Seconds, additional: Seconds, c: &dyn Communicator) -> f64 {
    if c.size() > 1 { common.0 + additional.0 } else { common.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{assert_close, assert_quiet, assert_shows};

    #[test]
    fn more_is_done_the_more_ranks_there_are() {
        for ranks in 1..=33 {
            assert_shows(&PROPERTY, (ranks, 1), &[], &[]);
            let again = if ranks > 1 { 0.025 } else { 0.02 };
            let outcomes = assert_quiet(&PROPERTY, (ranks, 1), &[]);
            for (outcome, again_of_all) in outcomes.iter().zip([ranks as f64 * 5.0 * again, 0.0]) {
                assert_close(outcome.wall_time(), 5.0 * (again + 0.08 / ranks as f64));
                assert_close(outcome.regions.iter().map(|region| region.seconds).sum(), again_of_all);
            }
        }
    }
}
