//! Work that one thread does in a single.

use ats_props::{Seconds, Team, Thread, do_work, property};

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
) {
    Construct { before: 0.0, inside: singlework.0, r }.run(team, single);
}

/// All threads share the work before the single, which has none.
pub fn balanced(singlework: Seconds, r: usize, team: &impl Team) {
    let share = singlework.0 / team.max_threads() as f64;
    Construct { before: share, inside: 0.0, r }.run(team, single);
}

fn single(t: &(impl Thread + ?Sized), singlework: f64) {
    t.single(|| do_work(singlework));
}
