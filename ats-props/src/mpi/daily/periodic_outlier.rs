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
    formula = if period > 0 { (P - 1) * extrawork * floor(r / period) },
    at = "MPI_Allreduce",
    each = if period > 0 && i != outlier % P { extrawork * floor(r / period) },
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
