//! Threads that wait for one another at a critical section.

use ats_props::{Seconds, Team, Thread, do_work, property};

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
/// The formula is for a lock that is had in the order of asking. An unfair one lets some threads finish early: then
/// they wait at the end of the region instead, but with `basework` = 0 the sum stays. At the end of the region shows
/// what the threads finish one after the other: `T(T−1)/2·criticalwork`, at its implicit barrier.
#[property(
    finds = OmpCriticalContention,
    formula = "W = T(T−1)/2·criticalwork + (r−1)·T·max(0, (T−1)·criticalwork − basework), where r > 0",
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
    /// Repetitions.
    #[default(10)]
    r: usize,
    team: &impl Team,
) {
    criticals(basework, criticalwork, r, team);
}

/// All work is outside the critical section, which has none.
pub fn balanced(basework: Seconds, criticalwork: Seconds, r: usize, team: &impl Team) {
    criticals(Seconds(basework.0 + criticalwork.0), Seconds(0.0), r, team);
}

fn criticals(basework: Seconds, criticalwork: Seconds, r: usize, team: &impl Team) {
    team.parallel(team.max_threads(), |t| {
        for _ in 0..r {
            do_work(basework.0);
            t.critical("critical_section_contention", || do_work(criticalwork.0));
        }
    });
}

#[cfg(test)]
mod tests {
    use ats_model::WaitState;

    use super::*;
    use crate::testing::{Shows, assert_shows, assert_team_silent};

    const LOCK: [&str; 3] = ["critical_section_contention", "!$omp parallel", "!$omp critical"];
    const END: [&str; 3] = ["critical_section_contention", "!$omp parallel", "!$omp implicit barrier"];

    #[test]
    fn waits_are_those_of_the_closed_form() {
        for basework in [0.0, 0.01, 0.07, 0.5] {
            for threads in 1..=17 {
                let again = ((threads - 1) as f64 * 0.02 - basework).max(0.0);
                // All come at once: lower threads are first.
                let lock = |_, thread| thread as f64 * 0.02 + 3.0 * again;
                let end = |_, thread| (threads - 1 - thread) as f64 * 0.02;
                let shows = [
                    Shows { state: Some(WaitState::OmpCriticalContention), call_path: &LOCK, seconds: &lock },
                    Shows {
                        state: Some(WaitState::WaitAtImplicitOmpBarrier),
                        call_path: &END,
                        seconds: &end,
                    },
                ];
                let given = [("basework", &*basework.to_string()), ("r", "4")];
                assert_shows(&PROPERTY, (1, threads), &given, &shows);
            }
        }
    }

    #[test]
    fn its_twin_shows_nothing() {
        (1..=17).for_each(|threads| assert_team_silent(&PROPERTY, threads, &[]));
    }
}
