//! Threads that wait for one another at a critical section.

use ats_props::{Balance, Seconds, Team, Thread, do_work, property};

use crate::family::construct::Construct;

/// Threads wait at a critical section because one at a time may be in it.
///
/// In one parallel region, every thread works `basework` outside the critical section and then `criticalwork` in it,
/// `r` times. The section is busy all the time where `basework` is less than what the others need it for.
///
/// ```text
/// 0  ├─ base ─┬─ critical ─┬─ base ─┬─ waits ······ …
/// 1  ├─ base ─┼─ waits ····┼─ critical ─┬─ base ─┬─ …
/// 2  ├─ base ─┼─ waits ·················┼─ critical …
/// ```
///
/// The formula is for a lock that goes to threads in the order of asking. An unfair one lets some threads finish
/// early: then they wait at the end of the region instead, but with `basework` = 0 the sum stays. The threads finish
/// one after the other, which shows at the end of the region: `T(T−1)/2·criticalwork`, at its implicit barrier.
#[property(
    finds = OmpCriticalContention,
    formula = T * (T - 1) / 2 * criticalwork + (r - 1) * T * max(0, (T - 1) * criticalwork - basework),
    at = "!$omp parallel/!$omp critical",
    each = t * criticalwork + (r - 1) * max(0, (T - 1) * criticalwork - basework),
    cause = Contention,
    also = WaitAtImplicitOmpBarrier,
    at = "!$omp parallel/!$omp implicit barrier",
    each = (T - 1 - t) * criticalwork,
    min_threads = 2,
    c = "critical_section_contention.c"
)]
pub fn critical_section_contention(
    /// Work of a thread outside the critical section in a repetition.
    #[default(Seconds(0.01))]
    basework: Seconds,
    /// Work of a thread in the critical section in a repetition.
    #[default(Seconds(0.02))]
    criticalwork: Seconds,
    /// Number of repetitions.
    #[default(10)]
    r: usize,
    team: &impl Team,
    balance: Balance,
) {
    // In the twin the critical section has no work.
    let [before, inside] = balance.pick([basework.0, criticalwork.0], [basework.0 + criticalwork.0, 0.0]);
    Construct { before, inside, r }
        .run(team, |t, work| t.critical("critical_section_contention", || do_work(work)));
}
