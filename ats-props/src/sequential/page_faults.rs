//! First stores into pages.

use ats_props::{Amount, Balance, Counter, Pages, cause, do_amount, property, region};

/// Each store goes into a page that the process has not touched before.
///
/// In each repetition the region `touch` stores into each of `pages` small pages, which were mapped anew. The twin stores
/// into pages that it has touched before.
///
/// ```text
/// ├┬┬┬┬┬┬┬┬┬┤   a fault each
/// ```
///
/// The finding is the number of faults, as the kernel counts them for the thread.
#[property(
    finds = Count(FAULTS, TOUCH),
    formula = pages * r,
    twin = 0
)]
pub fn page_faults(
    /// Pages that are touched in a repetition.
    #[default(2000)]
    pages: usize,
    /// Number of repetitions.
    #[default(5)]
    r: usize,
    balance: Balance,
) {
    let number = pages as u64;
    do_amount(&Amount::Pages(Pages { number, fresh: true }));
    for _ in 0..r {
        let _region = region(TOUCH);
        let fresh = balance.pick(true, false);
        do_amount(&Amount::Pages(Pages { number, fresh }));
        cause(FAULTS.metric(TOUCH), if fresh { number } else { 0 });
    }
}

/// The region of the stores.
const TOUCH: &str = "touch";

/// Faults of pages. The region's own bookkeeping may cause one now and then.
const FAULTS: Counter = Counter::Hardware { name: "page_faults", within_percent: 1 };
