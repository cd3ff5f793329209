//! Calls that every rank makes, and constructs that every thread executes, again and again.

use ats_omp::Team;
use ats_work::do_work;

/// In each of `r` repetitions every rank works for `work` seconds, and then makes `calls` calls.
pub(crate) fn often(work: f64, calls: usize, r: usize, call: impl Fn()) {
    for _ in 0..r {
        do_work(work);
        for _ in 0..calls {
            call();
        }
    }
}

/// In one parallel region, every thread works for `work` seconds in each of `r` repetitions, and then executes a
/// construct `k` times.
pub(crate) fn often_in_a_team<T: Team>(
    work: f64,
    k: usize,
    r: usize,
    team: &T,
    construct: impl Fn(&T::Thread) + Sync,
) {
    team.parallel(team.max_threads(), |t| {
        for _ in 0..r {
            do_work(work);
            (0..k).for_each(|_| construct(t));
        }
    });
}
