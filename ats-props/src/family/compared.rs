//! The same operations in two regions: as they are dear, and as they are cheap.

use ats_props::{Amount, Balance, Chase, do_amount, region};

/// Does an amount of work `r` times in the first region, and another one with as many operations as often in the second. They
/// take turns, so that whatever else the machine does slows down both. The twin does the second one in both.
pub(crate) fn compare([dear, cheap]: [(&'static str, Amount); 2], r: usize, balance: Balance) {
    for _ in 0..r {
        for (name, amount) in [(dear.0, balance.pick(dear.1, cheap.1)), cheap] {
            let _region = region(name);
            do_amount(&amount);
        }
    }
}

/// The region of a chase that misses.
pub(crate) const CHASE: &str = "chase";

/// The region of as many loads that hit.
pub(crate) const CHASE_OF_FEWER: &str = "chase_of_fewer";

/// Chases through lines in the region [`CHASE`], and through `fewer` of them with as many loads in [`CHASE_OF_FEWER`]; the
/// twin does that in both. The cycles are made outside.
///
/// `missed` counts the misses of the first one.
pub(crate) fn chase_both(lines: Chase, fewer: u64, balance: Balance, missed: impl Fn()) {
    let few = few(lines, fewer);
    for (name, chase) in [(CHASE, balance.pick(lines, few)), (CHASE_OF_FEWER, few)] {
        do_amount(&Amount::Chase(Chase { rounds: 0, ..chase }));
        let _region = region(name);
        do_amount(&Amount::Chase(chase));
        if name == CHASE {
            missed();
        }
    }
}

/// As many loads on the `fewer`-th part of the lines.
fn few(lines: Chase, fewer: u64) -> Chase {
    let number = (lines.lines / fewer).max(1);
    Chase { lines: number, rounds: (lines.lines * lines.rounds).div_ceil(number), ..lines }
}

/// The length of a line of the cache in bytes.
pub(crate) const LINE_BYTES: u64 = 64;
