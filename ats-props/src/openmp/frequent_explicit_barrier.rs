//! Unneeded barriers.

use ats_props::{Balance, Construct, Counter, Seconds, Team, Thread, property};

use crate::family::often::often_in_a_team;

/// Threads enter barriers again and again without anything in between.
///
/// In one parallel region, every thread works for `work` and then passes `k` barriers in a row, where one would do.
///
/// ```text
///       │ a repetition │
/// each  ├─ work ─┬┬┬┬┬┬┤   k barriers
/// ```
///
/// All threads come at the same time, so none waits, and no wait state shows: the finding is the number of entries
/// into the barrier. On a real machine each one has a price all the same; if all of them together cost more than the
/// threshold of a report, a tool rightly reports that as waiting at explicit barriers too.
#[property(
    finds = Count(Counter::VISITS, Construct::Barrier.region()),
    formula = T * r * k,
    twin = T * r * min(k, 1),
    min_threads = 2,
    c = "frequent_explicit_barrier.c"
)]
pub fn frequent_explicit_barrier(
    /// Work of every thread before the barriers of a repetition.
    #[default(Seconds(0.05))]
    work: Seconds,
    /// Barriers in a row.
    #[default(20)]
    k: usize,
    /// Number of repetitions.
    #[default(10)]
    r: usize,
    team: &impl Team,
    balance: Balance,
) {
    // The twin: one barrier after the work.
    often_in_a_team(work.0, balance.pick(k, k.min(1)), r, team, |t| t.barrier());
}
