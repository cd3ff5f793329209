//! Work that the master does alone.

use ats_props::{Seconds, Team, Thread, do_work, property};

/// Threads wait at a barrier for what the master does alone.
///
/// In one parallel region, the master works for `masterwork` while the others go straight to the barrier that follows:
/// the master construct has none of its own.
///
/// ```text
/// master  ├─ master: work ─┬─ barrier ─┤
/// others  ├─ barrier: waits┘ ··········┤
/// ```
///
/// Every thread but the master waits equally long. No other wait state shows.
#[property(
    paradigm = "openmp",
    finds = WaitAtExplicitOmpBarrier,
    formula = "W = (T−1)·r·masterwork",
    min_threads = 2
)]
pub fn unparallelized_in_master_region(
    /// Work of the master in a repetition.
    #[default(Seconds(0.05))]
    masterwork: Seconds,
    /// Repetitions.
    #[default(10)]
    r: usize,
    team: &impl Team,
) {
    masters(Seconds(0.0), masterwork, r, team);
}

/// All threads share the work before the master construct, which has none.
pub fn balanced(masterwork: Seconds, r: usize, team: &impl Team) {
    masters(Seconds(masterwork.0 / team.max_threads() as f64), Seconds(0.0), r, team);
}

fn masters(before: Seconds, masterwork: Seconds, r: usize, team: &impl Team) {
    team.parallel(team.max_threads(), |t| {
        for _ in 0..r {
            do_work(before.0);
            t.master(|| do_work(masterwork.0));
            t.barrier();
        }
    });
}
