//! Pairs of threads that wait for one another at locks.

use ats_props::{Balance, LockKind, Seconds, Team, Thread, do_work, property};

/// Threads wait in `omp_set_lock` because each shares a lock with a neighbour.
///
/// As [`super::all_threads_lock_contention`], but threads 2k and 2k + 1 have a lock of their own: threads wait only
/// for their neighbour. With an odd number of threads the last one has its lock to itself.
///
/// ```text
/// 2k      ├─ base ─┬─ locked ─┬─ base ─┬─ waits ┼─ locked ─┬─ …
/// 2k + 1  ├─ base ─┼─ waits ··┼─ locked ────────┼─ base ─┬─── …
/// ```
///
/// The imbalance shows at the end of the region: in every pair one thread finishes `lockedwork` before the other, and
/// a last thread without a neighbour finishes before all. Its implicit barrier counts `floor(T/2)·lockedwork`, and
/// with an odd number of threads `lockedwork + (r−1)·max(0, lockedwork − basework)` more.
#[property(
    finds = OmpLockContention,
    formula = floor(T / 2) * (lockedwork + 2 * (r - 1) * max(0, lockedwork - basework)),
    at = "!$omp parallel/omp_set_lock",
    each = if odd(t) { lockedwork + (r - 1) * max(0, lockedwork - basework) } else if t + 1 < T { (r - 1) * max(0, lockedwork - basework) },
    cause = Contention,
    also = WaitAtImplicitOmpBarrier,
    at = "!$omp parallel/!$omp implicit barrier",
    each = if even(t) && t + 1 < T { lockedwork } else if even(t) { lockedwork + (r - 1) * max(0, lockedwork - basework) },
    min_threads = 2,
    c = "pairwise_lock_contention.c"
)]
pub fn pairwise_lock_contention(
    /// Work of a thread without the lock in a repetition.
    #[default(Seconds(0.01))]
    basework: Seconds,
    /// Work of a thread with the lock in a repetition.
    #[default(Seconds(0.05))]
    lockedwork: Seconds,
    /// Number of repetitions.
    #[default(10)]
    r: usize,
    team: &impl Team,
    balance: Balance,
) {
    // In the twin all work is done without the locks.
    let [before, inside] = balance.pick([basework.0, lockedwork.0], [basework.0 + lockedwork.0, 0.0]);
    let pairs = team.max_threads().div_ceil(2);
    let locks: Vec<_> = (0..pairs).map(|_| team.new_lock(LockKind::Simple)).collect();
    team.parallel(team.max_threads(), |t| {
        let lock = &locks[t.number() / 2];
        for _ in 0..r {
            do_work(before);
            t.with_lock(lock, || do_work(inside));
        }
    });
}
