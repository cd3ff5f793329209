//! Waits of rank 0 in one call for all others; the last one decides.

use crate::family::{hub, uneven::Uneven};
use crate::{Balance, Communicator, Distribution};

/// Work of each rank in each of `r` repetitions, before rank 0 waits for all.
pub(crate) struct LastOfAll {
    pub(crate) others: Distribution,
    pub(crate) first: f64,
    pub(crate) r: usize,
}

impl LastOfAll {
    /// In each repetition every rank works, in the twin for the mean, all exchange messages with rank 0, and a barrier
    /// lets them begin together again.
    pub(crate) fn run(self, balance: Balance, c: &dyn Communicator, messages: impl Fn()) {
        let work = hub::work(self.first, self.others);
        Uneven { work, r: self.r }.run(balance, c, || {
            messages();
            c.barrier();
        });
    }
}
