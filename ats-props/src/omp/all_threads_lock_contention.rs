//! Threads that wait for one another at a lock.

use ats_props::{LockKind, Seconds, Team, Thread, do_work, property};

/// Threads wait in `omp_set_lock` because all need the same lock.
///
/// In one parallel region, every thread works `basework` and then `lockedwork` with the lock, `r` times. The lock is
/// taken all the time where `basework` is less than what the others need it for.
///
/// ```text
/// 0  ├─ base ─┬─ locked ─┬─ base ─┬─ waits ···· …
/// 1  ├─ base ─┼─ waits ··┼─ locked ─┬─ base ─┬─ …
/// 2  ├─ base ─┼─ waits ·············┼─ locked ─ …
/// ```
///
/// The formula is for a lock that is had in the order of asking. An unfair one lets some threads finish early: then
/// they wait at the end of the region instead, but with `basework` = 0 the sum stays. At the end of the region shows
/// what the threads finish one after the other: `T(T−1)/2·lockedwork`, at its implicit barrier.
#[property(
    finds = OmpLockContention,
    formula = "W = T(T−1)/2·lockedwork + (r−1)·T·max(0, (T−1)·lockedwork − basework), where r > 0",
    min_threads = 2,
    c = "all_threads_lock_contention.c"
)]
pub fn all_threads_lock_contention(
    /// Work of a thread without the lock in a repetition.
    #[default(Seconds(0.01))]
    basework: Seconds,
    /// Work of a thread with the lock in a repetition.
    #[default(Seconds(0.02))]
    lockedwork: Seconds,
    /// Repetitions.
    #[default(10)]
    r: usize,
    team: &impl Team,
) {
    take_turns(basework, lockedwork, r, team);
}

/// All work is done without the lock.
pub fn balanced(basework: Seconds, lockedwork: Seconds, r: usize, team: &impl Team) {
    take_turns(Seconds(basework.0 + lockedwork.0), Seconds(0.0), r, team);
}

fn take_turns(basework: Seconds, lockedwork: Seconds, r: usize, team: &impl Team) {
    let lock = team.new_lock(LockKind::Simple);
    team.parallel(team.max_threads(), |t| {
        for _ in 0..r {
            do_work(basework.0);
            t.with_lock(&lock, || do_work(lockedwork.0));
        }
    });
}

#[cfg(test)]
mod tests {
    use ats_model::WaitState;

    use super::*;
    use crate::testing::{Shows, assert_shows, assert_team_silent};

    const LOCK: [&str; 3] = ["all_threads_lock_contention", "!$omp parallel", "omp_set_lock"];
    const END: [&str; 3] = ["all_threads_lock_contention", "!$omp parallel", "!$omp implicit barrier"];

    #[test]
    fn waits_are_those_of_the_closed_form() {
        for basework in [0.0, 0.01, 0.07, 0.5] {
            for threads in 1..=17 {
                let again = ((threads - 1) as f64 * 0.02 - basework).max(0.0);
                // All come at once: lower threads are first.
                let lock = |_, thread| thread as f64 * 0.02 + 3.0 * again;
                let end = |_, thread| (threads - 1 - thread) as f64 * 0.02;
                let shows = [
                    Shows { state: Some(WaitState::OmpLockContention), call_path: &LOCK, seconds: &lock },
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
