//! Unneeded flushes.

use ats_props::{Balance, Construct, Counter, Seconds, Team, Thread, property};

use crate::family::often::often_in_a_team;

/// Threads flush memory again and again without anything in between.
///
/// In one parallel region, every thread works for `work` and then makes `k` flushes in a row, where one would do.
///
/// ```text
///       │ a repetition │
/// each  ├─ work ─┬┬┬┬┬┬┤   k flushes
/// ```
///
/// The finding is the number of flushes. No thread waits.
#[property(
    finds = Count(Counter::VISITS, Construct::Flush.region()),
    formula = T * r * k,
    twin = T * r * min(k, 1),
    min_threads = 2,
    c = "frequent_flush.c"
)]
pub fn frequent_flush(
    /// Work of every thread before the flushes of a repetition.
    #[default(Seconds(0.05))]
    work: Seconds,
    /// Flushes in a row.
    #[default(20)]
    k: usize,
    /// Number of repetitions.
    #[default(10)]
    r: usize,
    team: &impl Team,
    balance: Balance,
) {
    // The twin: one flush after the work.
    often_in_a_team(work.0, balance.pick(k, k.min(1)), r, team, |t| t.flush());
}
