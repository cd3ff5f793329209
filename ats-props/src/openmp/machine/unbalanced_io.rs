//! Output that is distributed unevenly.

use ats_props::formula::Amounts;
use ats_props::{Balance, Distribution, Team, property};

use crate::family::writes::{BYTES, CALLS, WRITES};
use crate::family::writes_of_a_team::write_in_a_team;

/// Threads wait at the end of a parallel region because they have unevenly much to write.
///
/// In each repetition, a parallel region, the region `writes` of every thread writes `bytes` to a temporary file of its own as
/// often as `distribution` says for it, rounded down. In the twin all write equally often: the mean, rounded down.
///
/// ```text
///        │ parallel                      │
/// low    ├┬┬┬┬┬┤─ implicit barrier ·····─┤
/// high   ├┬┬┬┬┬┬┬┬┬┬┬┬┬┬┬┬┬┤─────────────┤
///              └─ waits ───┘
/// ```
///
/// The findings are the calls and their bytes, as the kernel counts them for the process: `syscw` and `wchar` in
/// `/proc/self/io`. Threads wait for as long as the additional writes of others take, which is the machine's affair.
#[property(
    finds = Count(CALLS, WRITES),
    formula = r * sum(0..T, |k| floor(distribution[k])),
    twin = r * T * mean(distribution),
    finds = Count(BYTES, WRITES),
    formula = bytes * r * sum(0..T, |k| floor(distribution[k])),
    twin = bytes * r * T * mean(distribution),
    also = WaitAtImplicitOmpBarrier,
    at = "!$omp parallel/!$omp implicit barrier",
    min_threads = 2,
    c = "unbalanced_io.c"
)]
pub fn unbalanced_io(
    /// Writes of each thread in a repetition.
    #[default(Distribution::block2(2000.0, 12000.0))]
    distribution: Distribution,
    /// Bytes of each.
    #[default(8192)]
    bytes: usize,
    /// Number of repetitions.
    #[default(5)]
    r: usize,
    team: &impl Team,
    balance: Balance,
) {
    let threads = team.max_threads();
    let share = |thread| distribution.value(thread, threads, 1.0);
    let mean = whole_mean((0..threads).map(share), threads);
    write_in_a_team(bytes, r, team, |thread| balance.pick(share(thread).floor(), mean) as u64);
}

/// The mean of so many numbers, rounded down.
fn whole_mean(all: impl Iterator<Item = f64>, number: usize) -> f64 {
    (all.sum::<f64>() / number as f64).floor()
}

fn mean(amounts: Amounts<'_>) -> f64 {
    whole_mean(amounts.iter(), amounts.iter().count())
}
