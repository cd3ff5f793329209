//! Work that the master does alone.

use ats_props::{Seconds, Team, Thread, do_work, property};

use crate::family::construct::Construct;

/// Threads wait at a barrier for work that the master does alone.
///
/// In one parallel region, the master works for `masterwork` while the others go straight to the barrier that follows:
/// the master construct has none of its own.
///
/// ```text
///         │ master     │
/// master  ├─ work ─────┼─ barrier ─┤
/// others  ├─ barrier ··············┤
///         └─ waits ────┘
/// ```
///
/// Every thread but the master waits equally long. No other wait state shows.
#[property(
    finds = WaitAtExplicitOmpBarrier,
    formula = (T - 1) * r * masterwork,
    at = "!$omp parallel/!$omp barrier",
    each = if t > 0 { r * masterwork },
    cause = OneThread,
    min_threads = 2,
    c = "unparallelized_in_master_region.c"
)]
pub fn unparallelized_in_master_region(
    /// Work of the master in a repetition.
    #[default(Seconds(0.05))]
    masterwork: Seconds,
    /// Number of repetitions.
    #[default(10)]
    r: usize,
    team: &impl Team,
) {
    Construct { before: 0.0, inside: masterwork.0, r }.run(team, master);
}

/// All threads share the work before the master construct, which has none.
pub fn balanced(masterwork: Seconds, r: usize, team: &impl Team) {
    let share = masterwork.0 / team.max_threads() as f64;
    Construct { before: share, inside: 0.0, r }.run(team, master);
}

fn master(t: &(impl Thread + ?Sized), masterwork: f64) {
    t.master(|| do_work(masterwork));
    t.barrier();
}
