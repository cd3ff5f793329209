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
