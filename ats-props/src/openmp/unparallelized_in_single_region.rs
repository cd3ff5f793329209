//! Work that one thread does in a single.

use ats_props::{Balance, Seconds, Team, Thread, do_work, property};

use crate::family::construct::Construct;

/// Threads wait at the end of a single for the one that executes it.
///
/// In one parallel region, the first thread to come executes the single and works for `singlework`; the others only
/// wait.
///
/// ```text
///         │ single              │
/// one     ├─ work ──────────────┤
/// others  ├─ implicit barrier ··┤
///         └─ waits ─────────────┘
/// ```
///
/// Any thread may execute a single, so it does not matter which threads wait. No other wait state shows.
#[property(
    finds = WaitAtImplicitOmpBarrier,
    formula = (T - 1) * r * singlework,
    at = "!$omp parallel/!$omp single/!$omp implicit barrier",
    each = if t > 0 { r * singlework },
    cause = OneThread,
    min_threads = 2,
    c = "unparallelized_in_single_region.c"
)]
pub fn unparallelized_in_single_region(
    /// Work of the one thread in a single.
    #[default(Seconds(0.05))]
    singlework: Seconds,
    /// Number of repetitions.
    #[default(10)]
    r: usize,
    team: &impl Team,
    balance: Balance,
) {
    // In the twin all threads share the work before the single, which has none.
    let [before, inside] = balance.pick([0.0, singlework.0], [singlework.0 / team.max_threads() as f64, 0.0]);
    Construct { before, inside, r }.run(team, |t, work| t.single(|| do_work(work)));
}
