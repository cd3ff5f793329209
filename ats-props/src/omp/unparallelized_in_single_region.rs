//! Work that one thread does in a single.

use ats_props::{Seconds, Team, Thread, do_work, property};

/// Threads wait at the end of a single for the one that executes it.
///
/// In one parallel region, whoever comes first executes the single and works for `singlework`; the others have nothing
/// to do but to wait.
///
/// ```text
///         │ single              │
/// one     ├─ work ──────────────┤
/// others  ├─ implicit barrier ··┤
///         └─ waits ─────────────┘
/// ```
///
/// Which thread executes a single varies: the threads' waits are to be compared as a set. No other wait state shows.
#[property(
    finds = WaitAtImplicitOmpBarrier,
    formula = "W = (T−1)·r·singlework",
    min_threads = 2,
    c = "unparallelized_in_single_region.c"
)]
pub fn unparallelized_in_single_region(
    /// Work of the one thread in a single.
    #[default(Seconds(0.05))]
    singlework: Seconds,
    /// Repetitions.
    #[default(10)]
    r: usize,
    team: &impl Team,
) {
    singles(Seconds(0.0), singlework, r, team);
}

/// All threads share the work before the single, which has none.
pub fn balanced(singlework: Seconds, r: usize, team: &impl Team) {
    singles(Seconds(singlework.0 / team.max_threads() as f64), Seconds(0.0), r, team);
}

fn singles(before: Seconds, singlework: Seconds, r: usize, team: &impl Team) {
    team.parallel(team.max_threads(), |t| {
        for _ in 0..r {
            do_work(before.0);
            t.single(|| do_work(singlework.0));
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{assert_team_silent, assert_team_waits};

    #[test]
    fn waits_are_those_of_the_closed_form() {
        // All come at once: the master is first.
        let waits = |thread| if thread > 0 { 4.0 * 0.05 } else { 0.0 };
        let call_path =
            ["unparallelized_in_single_region", "!$omp parallel", "!$omp single", "!$omp implicit barrier"];
        (1..=17).for_each(|threads| assert_team_waits(&PROPERTY, threads, &[("r", "4")], &call_path, waits));
    }

    #[test]
    fn its_twin_shows_nothing() {
        (1..=17).for_each(|threads| assert_team_silent(&PROPERTY, threads, &[]));
    }
}
