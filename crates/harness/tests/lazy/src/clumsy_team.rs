//! A property with threads, one of them panicking.

use ats_props::{Seconds, Team, Thread, do_work, property};

/// The last thread breaks down where the others wait for it.
#[property(finds = WaitAtExplicitOmpBarrier, formula = 0, min_threads = 2)]
pub fn clumsy_team(
    /// Work of every thread before.
    #[default(Seconds(0.001))]
    work: Seconds,
    team: &impl Team,
) {
    team.parallel(team.max_threads(), |t| {
        do_work(work.0);
        assert_ne!(t.number() + 1, t.threads(), "broken as asked for");
        t.barrier();
    });
}

/// No thread panics.
pub fn balanced(work: Seconds, team: &impl Team) {
    team.parallel(team.max_threads(), |t| {
        do_work(work.0);
        t.barrier();
    });
}
