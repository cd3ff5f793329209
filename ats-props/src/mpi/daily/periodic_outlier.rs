//! Something that takes long every now and then.

use ats_props::{Balance, Communicator, Seconds, do_work, property};

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
    cause = if alone(0..P, |j| r * basework + if j == outlier % P { extrawork * floor(r / period) }) { LackOfParallelism } else { LateArrival },
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
    balance: Balance,
) {
    // In the twin all share the extra work.
    let of_rank = if c.rank() == outlier % c.size() { extrawork.0 } else { 0.0 };
    let share = balance.pick(of_rank, extrawork.0 / c.size() as f64);
    let combine = allreduce(c);
    for repetition in 1..=r {
        let extra = if repetition.is_multiple_of(period) { share } else { 0.0 };
        do_work(basework.0 + extra);
        combine();
    }
}
