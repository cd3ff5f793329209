//! Work that the master does alone.

use ats_props::{Seconds, Team, Thread, do_work, property};

/// Threads wait at a barrier for what the master does alone.
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
    formula = "W = (T−1)·r·masterwork",
    min_threads = 2,
    c = "unparallelized_in_master_region.c"
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{assert_team_silent, assert_team_waits};

    #[test]
    fn waits_are_those_of_the_closed_form() {
        let waits = |thread| if thread > 0 { 4.0 * 0.05 } else { 0.0 };
        let call_path = ["unparallelized_in_master_region", "!$omp parallel", "!$omp barrier"];
        (1..=17).for_each(|threads| assert_team_waits(&PROPERTY, threads, &[("r", "4")], &call_path, waits));
    }

    #[test]
    fn its_twin_shows_nothing() {
        (1..=17).for_each(|threads| assert_team_silent(&PROPERTY, threads, &[]));
    }
}
