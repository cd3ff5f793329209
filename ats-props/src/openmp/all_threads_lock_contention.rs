//! Threads that wait for one another at a lock.

use ats_props::{Balance, LockKind, Seconds, Team, Thread, do_work, property};

use crate::family::construct::Construct;

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
/// The formula is for a lock that goes to threads in the order of asking. An unfair one lets some threads finish
/// early: then they wait at the end of the region instead, but with `basework` = 0 the sum stays. The threads finish
/// one after the other, which shows at the end of the region: `T(T−1)/2·lockedwork`, at its implicit barrier.
#[property(
    finds = OmpLockContention,
    formula = T * (T - 1) / 2 * lockedwork + (r - 1) * T * max(0, (T - 1) * lockedwork - basework),
    at = "!$omp parallel/omp_set_lock",
    each = t * lockedwork + (r - 1) * max(0, (T - 1) * lockedwork - basework),
    cause = Contention,
    also = WaitAtImplicitOmpBarrier,
    at = "!$omp parallel/!$omp implicit barrier",
    each = (T - 1 - t) * lockedwork,
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
    /// Number of repetitions.
    #[default(10)]
    r: usize,
    team: &impl Team,
    balance: Balance,
) {
    // In the twin all work is done without the lock.
    let [before, inside] = balance.pick([basework.0, lockedwork.0], [basework.0 + lockedwork.0, 0.0]);
    let lock = team.new_lock(LockKind::Simple);
    Construct { before, inside, r }.run(team, |t, lockedwork| t.with_lock(&lock, || do_work(lockedwork)));
}
