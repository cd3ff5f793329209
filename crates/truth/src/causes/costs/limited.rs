//! The costs of teams without all threads: the others wait for all that the main thread does meanwhile.

use ats_model::delay::Delay;

use super::Book;
use crate::causes::timeline::Limited;

impl Book<'_> {
    /// Charges the ticks of main threads from fork to join for the threads that are left out.
    pub(super) fn limited(&mut self) {
        for Limited { location, since, until, ticks } in self.all.limited() {
            let inside = (since, usize::MAX)..(until, 0);
            let path = |visit: usize| self.all.lines[location].visits[visit].path;
            let own = (Delay::OmpLimited, (location, path(since)));
            let waited = &self.waited[location];
            let spent: Vec<_> = self.all.lines[location]
                .between(Some(since), Some(until))
                .map(|(path, ticks)| (path, ticks.saturating_sub(waited.amount(path, &inside))))
                .collect();
            let waits: u64 = waited.within(inside.clone()).map(|(_, ticks)| ticks).sum();
            let all = spent.iter().map(|(_, ticks)| ticks).sum::<u64>() + waits;
            if all == 0 {
                *self.causes.unattributed.entry(own).or_default() += ticks as f64;
                continue;
            }
            let share = ticks as f64 / all as f64;
            *self.causes.indirect.entry(own).or_default() += share * waits as f64;
            for (path, ticks) in spent {
                let cost = self.causes.short_term.entry((Delay::OmpLimited, (location, path))).or_default();
                *cost += share * ticks as f64;
            }
            for ((_, cell), ticks) in self.origins[location].within(inside) {
                let cost = match cell {
                    Some(cell) => self.causes.long_term.entry((Delay::OmpLimited, cell)).or_default(),
                    None => self.causes.unattributed.entry(own).or_default(),
                };
                *cost += share * ticks;
            }
        }
    }
}
