//! Unneeded barriers.

use ats_props::{Balance, Communicator, Counter, MpiFunction, Seconds, property};

use crate::family::often::often;

/// Ranks enter barriers again and again without anything in between.
///
/// In each repetition every rank works `work` and then passes `k` barriers in a row, where one would do.
///
/// ```text
///       │ a repetition │
/// each  ├─ work ─┬┬┬┬┬┬┤   k times MPI_Barrier
/// ```
///
/// All ranks come at the same time, so none waits, and no wait state shows: the finding is the number of entries into
/// the barrier. On a real machine each one has a price all the same; if all of them together cost more than the
/// threshold of a report, a tool rightly reports that as waiting at barriers, too.
#[property(
    finds = Count(Counter::VISITS, MpiFunction::Barrier.name()),
    formula = P * r * k,
    twin = P * r * min(k, 1),
    finds = Count(Counter::COLLECTIVE_SYNCS, MpiFunction::Barrier.name()),
    formula = P * r * k,
    twin = P * r * min(k, 1),
    min_ranks = 2
)]
pub fn frequent_barrier(
    /// Work of every rank in a repetition.
    #[default(Seconds(0.05))]
    work: Seconds,
    /// Barriers in a row.
    #[default(20)]
    k: usize,
    /// Number of repetitions.
    #[default(10)]
    r: usize,
    c: &dyn Communicator,
    balance: Balance,
) {
    // The twin: one barrier after the work.
    often(work.0, balance.pick(k, k.min(1)), r, || c.barrier());
}
