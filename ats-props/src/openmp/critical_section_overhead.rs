//! Unneeded critical sections.

use ats_props::{Balance, Construct, Counter, Seconds, Team, Thread, property};

use crate::family::often::often_in_a_team;

/// Threads enter empty critical sections again and again.
///
/// In one parallel region, every thread works for `work` and then enters `k` critical sections in a row, with nothing
/// inside, where one would do.
///
/// ```text
///       │ a repetition │
/// each  ├─ work ─┬┬┬┬┬┬┤   k critical sections
/// ```
///
/// The finding is the number of entries. Nothing is done inside, so the closed forms have no waits. On a real machine,
/// threads meet there all the same; if that costs more than the threshold of a report, a tool rightly reports contention.
#[property(
    finds = Count(Counter::VISITS, Construct::Critical.region()),
    formula = T * r * k,
    twin = T * r * min(k, 1),
    min_threads = 2,
    c = "critical_section_overhead.c"
)]
pub fn critical_section_overhead(
    /// Work of every thread before the critical sections of a repetition.
    #[default(Seconds(0.05))]
    work: Seconds,
    /// Critical sections in a row.
    #[default(20)]
    k: usize,
    /// Number of repetitions.
    #[default(10)]
    r: usize,
    team: &impl Team,
    balance: Balance,
) {
    // The twin: one critical section after the work.
    often_in_a_team(work.0, balance.pick(k, k.min(1)), r, team, |t| {
        t.critical("critical_section_overhead", || ())
    });
}
