//! Work that every rank does again.

use ats_props::{Balance, Communicator, Seconds, do_work, property, region};

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
    formula = if P > 1 { P * r * (common + additional) } else { r * common },
    twin = 0,
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
    balance: Balance,
) {
    for _ in 0..r {
        match balance {
            Balance::Uneven => {
                let _region = region("replicated_work");
                do_work(if c.size() > 1 { common.0 + additional.0 } else { common.0 });
            }
            // As much work as above would be done again, whoever does it: it is done once, and shared.
            Balance::Even => do_work(common.0 / c.size() as f64),
        }
        do_work(parallel.0 / c.size() as f64);
        c.barrier();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{RANKS, assert_close, simulate};

    #[test]
    fn the_twin_does_no_work_again() {
        for ranks in RANKS {
            let again = if ranks > 1 { 0.025 } else { 0.02 };
            let times = [again + 0.08 / ranks as f64, 0.1 / ranks as f64];
            for (balanced, time) in [false, true].into_iter().zip(times) {
                assert_close(simulate(&PROPERTY, (ranks, 1), &[], balanced).wall_time(), 5.0 * time);
            }
        }
    }
}
