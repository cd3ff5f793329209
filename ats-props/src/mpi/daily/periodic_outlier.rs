//! Something that takes long every now and then.

use ats_props::{Communicator, Seconds, do_work, property};

use crate::family::uneven::allreduce;

/// Every so often one rank has much more to do, and all wait for it in an allreduce.
///
/// In each repetition every rank works `basework`, and the values of all are combined for all. In every `period`-th
/// repetition rank `outlier` works `extrawork` before that, too.
///
/// ```text
/// outlier  ├─ base ─┬─ MPI_Allreduce ┬─ base ─┬─ extra ─┬ MPI_Allreduce ┤
/// others   ├─ base ─┬─ MPI_Allreduce ┬─ base ─┬─ MPI_Allreduce ·········┤
///                                             └─ waits ─┘
/// ```
///
/// An average over the repetitions hides it, a view of single ones shows it. No skew is left, and no other wait state shows.
#[property(
    finds = WaitAtNxN,
    formula = "W = (P−1)·extrawork·floor(r/period)",
    cause = LateArrival,
    cause = LackOfParallelism,
    min_ranks = 2
)]
pub fn periodic_outlier(
    /// Work of every rank in a repetition.
    #[default(Seconds(0.01))]
    basework: Seconds,
    /// Extra work of the outlier, when it has some.
    #[default(Seconds(0.1))]
    extrawork: Seconds,
    /// Rank of the outlier, modulo the number of ranks.
    #[default(0)]
    outlier: usize,
    /// Period of the extra work: it is in the repetitions that this divides; 0 for none.
    #[default(2)]
    period: usize,
    /// Number of repetitions.
    #[default(10)]
    r: usize,
    c: &dyn Communicator,
) {
    let is_outlier = c.rank() == outlier % c.size();
    let share = if is_outlier { extrawork.0 } else { 0.0 };
    work_and_combine(basework, share, period, r, c);
}

/// All share the extra work.
pub fn balanced(
    basework: Seconds,
    extrawork: Seconds,
    _: usize,
    period: usize,
    r: usize,
    c: &dyn Communicator,
) {
    work_and_combine(basework, extrawork.0 / c.size() as f64, period, r, c);
}

fn work_and_combine(basework: Seconds, share: f64, period: usize, r: usize, c: &dyn Communicator) {
    let combine = allreduce(c);
    for repetition in 1..=r {
        let extra = if repetition.is_multiple_of(period) { share } else { 0.0 };
        do_work(basework.0 + extra);
        combine();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{RANKS, assert_silent, assert_waits};

    #[test]
    fn all_wait_for_the_outlier_every_time_it_is_one() {
        for ranks in RANKS {
            for (period, times) in [("0", 0.0), ("1", 7.0), ("3", 2.0), ("7", 1.0), ("8", 0.0)] {
                for outlier in [0, 2, 40] {
                    let given = [("outlier", &*outlier.to_string()), ("period", period), ("r", "7")];
                    let waits = |rank| if rank == outlier % ranks { 0.0 } else { times * 0.1 };
                    assert_waits(&PROPERTY, ranks, &given, &["periodic_outlier", "MPI_Allreduce"], waits);
                    assert_silent(&PROPERTY, ranks, &given);
                }
            }
        }
    }
}
