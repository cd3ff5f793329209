//! First stores of several threads into pages.

use ats_props::{
    Amount, Balance, Counter, Pages, Seconds, Team, Thread, cause, do_amount, do_work, property, region,
};

/// All threads touch pages that the process has not touched before, at the same time.
///
/// In each repetition every thread works for `work`, and its region `touch` stores into each of `pages` small pages of its own,
/// which were mapped anew. The twin stores into pages that it has touched before.
///
/// ```text
///       │ a repetition │
/// each  ├─ work ─┬┬┬┬┬┬┤   a fault each
/// ```
///
/// The threads of a process share its table of pages, so that their faults can be slower than those of one. The finding is
/// the number of faults, as the kernel counts them for each thread.
#[property(
    finds = Count(FAULTS, TOUCH),
    formula = T * pages * r,
    twin = 0,
    min_threads = 2,
    c = "concurrent_page_faults.c"
)]
pub fn concurrent_page_faults(
    /// Work of every thread before the stores of a repetition.
    #[default(Seconds(0.005))]
    work: Seconds,
    /// Pages that a thread touches in a repetition.
    #[default(2000)]
    pages: usize,
    /// Number of repetitions.
    #[default(20)]
    r: usize,
    team: &impl Team,
    balance: Balance,
) {
    let number = pages as u64;
    let fresh = balance.pick(true, false);
    team.parallel(team.max_threads(), |t| {
        do_amount(&Amount::Pages(Pages { number, fresh: true }));
        for _ in 0..r {
            do_work(work.0);
            t.barrier();
            let _region = region(TOUCH);
            do_amount(&Amount::Pages(Pages { number, fresh }));
            cause(FAULTS.metric(TOUCH), if fresh { number } else { 0 });
        }
    });
}

/// The region of the stores.
const TOUCH: &str = "touch";

/// Faults of pages. The region's own bookkeeping may cause one now and then.
const FAULTS: Counter = Counter::Hardware { name: "page_faults", within_percent: 1 };
