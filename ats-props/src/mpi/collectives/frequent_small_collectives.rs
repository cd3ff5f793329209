//! Collective operations on next to nothing, one after the other.

use ats_props::{Balance, Communicator, Counter, MpiFunction, Seconds, property};

use crate::family::often::often;
use crate::family::uneven::allreduce;

/// Ranks combine single values one by one, where one call could combine them all.
///
/// In each repetition every rank works `work` and then makes `k` calls of MPI_Allreduce in a row, with one default
/// block each.
///
/// ```text
///       │ a repetition │
/// each  ├─ work ─┬┬┬┬┬┬┤   k times MPI_Allreduce
/// ```
///
/// All ranks come at the same time, so none waits, and no wait state shows: the finding is the number of calls of the
/// operation. On a real machine each call has a price all the same; if all of them together cost more than the
/// threshold of a report, a tool rightly reports that as waiting in them, too.
#[property(
    finds = Count(Counter::VISITS, MpiFunction::Allreduce.name()),
    formula = P * r * k,
    twin = P * r * min(k, 1),
    finds = Count(Counter::COLLECTIVES, MpiFunction::Allreduce.name()),
    formula = P * r * k,
    twin = P * r * min(k, 1),
    min_ranks = 2
)]
pub fn frequent_small_collectives(
    /// Work of every rank in a repetition.
    #[default(Seconds(0.05))]
    work: Seconds,
    /// Calls in a row.
    #[default(20)]
    k: usize,
    /// Number of repetitions.
    #[default(10)]
    r: usize,
    c: &dyn Communicator,
    balance: Balance,
) {
    // The twin: one call after the work.
    often(work.0, balance.pick(k, k.min(1)), r, allreduce(c));
}
