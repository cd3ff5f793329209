//! Unneeded atomics.

use std::sync::atomic::AtomicU64;

use ats_props::{Balance, Construct, Counter, Seconds, Team, Thread, property};

use crate::family::often::often_in_a_team;

/// Threads update one place in memory again and again.
///
/// In one parallel region, every thread works for `work` and then adds 1 to a number that all share, `k` times in a row,
/// where it could add `k` at once.
///
/// ```text
///       │ a repetition │
/// each  ├─ work ─┬┬┬┬┬┬┤   k atomics
/// ```
///
/// The finding is the number of atomics. Threads contend for the memory itself, so that none waits in a construct.
/// Compilers of C make an instruction of an atomic and tell the OpenMP runtime nothing: a tool that listens to the
/// runtime cannot count those, and is not asked to.
#[property(
    finds = Count(Counter::VISITS, Construct::Atomic.region()),
    formula = T * r * k,
    twin = T * r * min(k, 1),
    min_threads = 2,
    c = "frequent_atomic.c"
)]
pub fn frequent_atomic(
    /// Work of every thread before the atomics of a repetition.
    #[default(Seconds(0.05))]
    work: Seconds,
    /// Atomics in a row.
    #[default(20)]
    k: usize,
    /// Number of repetitions.
    #[default(10)]
    r: usize,
    team: &impl Team,
    balance: Balance,
) {
    // In the twin one atomic after the work adds for all.
    let (atomics, number) = balance.pick((k, 1), (k.min(1), k as u64));
    let sum = AtomicU64::new(0);
    often_in_a_team(work.0, atomics, r, team, |t| t.atomic(&sum, |sum| sum.wrapping_add(number)));
    let all =
        [team.max_threads(), atomics, r].into_iter().fold(number, |all, of| all.wrapping_mul(of as u64));
    assert_eq!(sum.into_inner(), all, "an atomic was lost");
}
