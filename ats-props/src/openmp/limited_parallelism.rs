//! A parallel region with fewer threads than there are.

use ats_props::{Seconds, Team, do_work, property};

/// Threads are idle because a parallel region has fewer than the process.
///
/// Regions have `members` threads, and each works for `work`.
///
/// ```text
///          │ parallel │
/// members  ├─ work ───┤
/// others   ·· idle ···
/// ```
///
/// An idle thread executes nothing and so waits nowhere: the idle time belongs to the region. With `members` at the
/// number of threads or above nothing shows. No wait state shows.
#[property(
    finds = LimitedParallelism,
    formula = "W = (T − members)·r·work, where members is 1 to T",
    cause = FewThreads,
    min_threads = 3,
    c = "limited_parallelism.c"
)]
pub fn limited_parallelism(
    /// Work of a member in a region.
    #[default(Seconds(0.05))]
    work: Seconds,
    /// Number of threads of a region; at least 1, and no more than there are.
    #[default(2)]
    members: usize,
    /// Number of repetitions.
    #[default(10)]
    r: usize,
    team: &impl Team,
) {
    let members = members.clamp(1, team.max_threads());
    regions(work, members, r, team);
}

/// Regions have all threads, which share the work.
pub fn balanced(work: Seconds, members: usize, r: usize, team: &impl Team) {
    let threads = team.max_threads();
    let members = members.clamp(1, threads);
    regions(Seconds(work.0 * members as f64 / threads as f64), threads, r, team);
}

fn regions(work: Seconds, threads: usize, r: usize, team: &impl Team) {
    for _ in 0..r {
        team.parallel(threads, |_| do_work(work.0));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{THREADS, assert_quiet, assert_team_waits};

    #[test]
    fn idle_time_is_that_of_the_closed_form() {
        for (given, members) in [("0", 1), ("1", 1), ("2", 2), ("5", 5), ("20", 20)] {
            for threads in THREADS {
                let idles = |thread| if thread >= members { 4.0 * 0.05 } else { 0.0 };
                let call_path = ["limited_parallelism", "!$omp parallel"];
                let given = [("members", given), ("r", "4")];
                assert_team_waits(&PROPERTY, threads, &given, &call_path, idles);
            }
        }
    }

    #[test]
    fn its_twin_shows_nothing() {
        for members in ["0", "1", "2", "5", "20"] {
            for threads in THREADS {
                // The regions have more threads than those of the property, and so more ends.
                assert_quiet(&PROPERTY, (1, threads), &[("members", members)]);
            }
        }
    }
}
