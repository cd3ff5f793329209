//! The same operations of all threads in two regions, one after the other: as they are dear, and as they are cheap.

use ats_props::{Amount, Balance, Team, Thread, do_amount, region};

/// Amounts of a thread, by its number and that of all.
type Amounts<'a, const N: usize> = dyn Fn(u64, u64) -> [Amount; N] + Sync + 'a;

/// In one parallel region, every thread does the amounts of the first kind `r` times in the first region, and those of the
/// second kind as often in the second one. The twin does the second ones in both.
pub(crate) fn compare_in_a_team<T: Team, const N: usize>(
    [dear, cheap]: [(&'static str, &Amounts<'_, N>); 2],
    r: usize,
    team: &T,
    balance: Balance,
) {
    team.parallel(team.max_threads(), |t| {
        for (name, amounts) in [(dear.0, balance.pick(dear.1, cheap.1)), cheap] {
            let amounts = amounts(t.number() as u64, t.threads() as u64);
            // All begin at once.
            t.barrier();
            let _region = region(name);
            (0..r).for_each(|_| amounts.iter().for_each(do_amount));
        }
    });
}
