//! Work that the master does alone.

use ats_props::{Balance, Seconds, Team, Thread, do_work, property};

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
    balance: Balance,
) {
    // In the twin all threads share the work before the master construct, which has none.
    let [before, inside] = balance.pick([0.0, masterwork.0], [masterwork.0 / team.max_threads() as f64, 0.0]);
    Construct { before, inside, r }.run(team, |t, work| {
        t.master(|| do_work(work));
        t.barrier();
    });
}
