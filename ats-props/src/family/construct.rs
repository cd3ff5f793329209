//! Constructs with work for some threads of a team, or for one at a time, after work of all.

use ats_omp::Team;
use ats_work::do_work;

/// Work of a thread before the construct and in it, in each of `r` repetitions.
pub(crate) struct Construct {
    pub(crate) before: f64,
    pub(crate) inside: f64,
    pub(crate) r: usize,
}

impl Construct {
    /// In one parallel region, all work in each repetition, and come to the construct with the work that is to be done there.
    pub(crate) fn run<T: Team>(&self, team: &T, construct: impl Fn(&T::Thread, f64) + Sync) {
        team.parallel(team.max_threads(), |t| {
            for _ in 0..self.r {
                do_work(self.before);
                construct(t, self.inside);
            }
        });
    }
}

/// Asserts that all but the master wait there for its work, and that the twin does not wait.
#[cfg(test)]
pub(crate) fn assert_the_others_wait(property: &'static crate::Property, constructs: &[&'static str]) {
    use crate::testing::{assert_team_silent, assert_team_waits, in_region};

    let waits = |thread| if thread > 0 { 4.0 * 0.05 } else { 0.0 };
    let call_path = in_region(property, constructs);
    for threads in crate::testing::threads(property) {
        assert_team_waits(property, threads, &[("r", "4")], &call_path, waits);
        assert_team_silent(property, threads, &[]);
    }
}

/// Asserts that all wait there for their turn, and at the end of the region, in that state, for the last, and that the
/// twin does not wait.
#[cfg(test)]
pub(crate) fn assert_turns_are_taken(
    property: &'static crate::Property,
    construct: &'static str,
    state_at_end: crate::WaitState,
) {
    use crate::testing::{Shows, assert_shows, assert_team_silent, in_region};

    let (there, at_end) =
        (in_region(property, &[construct]), in_region(property, &["!$omp implicit barrier"]));
    for before in [0.0, 0.01, 0.07, 0.5] {
        for threads in crate::testing::threads(property) {
            let again = ((threads - 1) as f64 * 0.02 - before).max(0.0);
            // All come at once: lower threads are first.
            let turn = |_, thread| thread as f64 * 0.02 + 3.0 * again;
            let end = |_, thread| (threads - 1 - thread) as f64 * 0.02;
            let shows = [
                Shows { state: property.finds.wait_state(), call_path: &there, seconds: &turn },
                Shows { state: Some(state_at_end), call_path: &at_end, seconds: &end },
            ];
            let given = [("basework", &*before.to_string()), ("r", "4")];
            assert_shows(property, (1, threads), &given, &shows);
        }
    }
    crate::testing::threads(property).for_each(|threads| assert_team_silent(property, threads, &[]));
}
