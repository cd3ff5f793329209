//! Unneeded barriers.

use ats_props::{Construct, Counter, Seconds, Team, Thread, do_work, property};

/// Threads enter barriers again and again without anything in between.
///
/// In one parallel region, every thread works for `work` and then passes `k` barriers in a row, where one would do.
///
/// ```text
///       │ a repetition │
/// each  ├─ work ─┬┬┬┬┬┬┤   k barriers
/// ```
///
/// All threads come at the same time, so none waits, and no wait state shows: the finding is the number of entries
/// into the barrier. On a real machine each one has a price all the same; if all of them together cost more than the
/// threshold of a report, a tool rightly reports that as waiting at explicit barriers too.
#[property(
    finds = Count(Counter::VISITS, Construct::Barrier.region()),
    formula = "N = T·r·k",
    min_threads = 2,
    c = "frequent_explicit_barrier.c"
)]
pub fn frequent_explicit_barrier(
    /// Work of every thread before the barriers of a repetition.
    #[default(Seconds(0.05))]
    work: Seconds,
    /// Barriers in a row.
    #[default(20)]
    k: usize,
    /// Number of repetitions.
    #[default(10)]
    r: usize,
    team: &impl Team,
) {
    work_and_meet(work, k, r, team);
}

/// One barrier after the work.
pub fn balanced(work: Seconds, k: usize, r: usize, team: &impl Team) {
    work_and_meet(work, k.min(1), r, team);
}

fn work_and_meet(work: Seconds, barriers: usize, r: usize, team: &impl Team) {
    team.parallel(team.max_threads(), |t| {
        for _ in 0..r {
            do_work(work.0);
            for _ in 0..barriers {
                t.barrier();
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{assert_quiet, assert_shows};

    #[test]
    fn barriers_are_as_many_as_the_closed_form_says_and_nobody_waits() {
        for k in [0, 1, 2, 20] {
            for threads in 1..=17 {
                let given = [("k", &*k.to_string()), ("r", "3")];
                assert_shows(&PROPERTY, (1, threads), &given, &[]);
                let counts = assert_quiet(&PROPERTY, (1, threads), &given)
                    .map(|outcome| outcome.counts.get("!$omp barrier").map_or(0, |count| count.calls));
                // The twin has fewer barriers: that is what makes it balanced.
                assert_eq!(counts, [k, k.min(1)].map(|barriers| threads as u64 * 3 * barriers));
            }
        }
    }
}
