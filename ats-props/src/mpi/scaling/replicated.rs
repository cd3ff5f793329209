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
/// looks well in a single run, and only the comparison with one rank shows the loss. The twin takes r·(`common` +
/// `parallel`)/P, as it does no work again, and none in the region. No wait state shows, and no skew is left.
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
            do_work(if c.size() > 1 { common.0 + additional.0 } else { common.0 });
        }
        do_work(parallel.0 / c.size() as f64);
        c.barrier();
    }
}

/// All work is done once, and shared. As much work as above would be done again, whoever does it.
pub fn balanced(common: Seconds, _additional: Seconds, parallel: Seconds, r: usize, c: &dyn Communicator) {
    for _ in 0..r {
        do_work((common.0 + parallel.0) / c.size() as f64);
        c.barrier();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{RANKS, assert_close, assert_shows, simulate};

    #[test]
    fn more_is_done_the_more_ranks_there_are() {
        for ranks in RANKS {
            assert_shows(&PROPERTY, (ranks, 1), &[], &[]);
            let again = if ranks > 1 { 0.025 } else { 0.02 };
            let outcomes = [false, true].map(|balanced| simulate(&PROPERTY, (ranks, 1), &[], balanced));
            assert!(
                outcomes[1].waits.iter().all(|wait| wait.physical_time < 1e-8),
                "{:?}",
                outcomes[1].waits
            );
            let regions = [ranks as f64 * 5.0 * again, 0.0];
            let times = [again + 0.08 / ranks as f64, 0.1 / ranks as f64];
            for ((outcome, of_region), time) in outcomes.iter().zip(regions).zip(times) {
                assert_close(outcome.wall_time(), 5.0 * time);
                assert_close(outcome.regions.iter().map(|region| region.seconds).sum(), of_region);
            }
        }
    }
}
