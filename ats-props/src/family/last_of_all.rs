//! Waits of rank 0 in one call for all others; the last one decides.

use crate::family::{hub, uneven::Uneven};
use crate::{Communicator, Distribution};

/// Work of each rank in each of `r` repetitions, before rank 0 waits for all.
pub(crate) struct LastOfAll {
    pub(crate) others: Distribution,
    pub(crate) first: f64,
    pub(crate) r: usize,
}

impl LastOfAll {
    /// In each repetition every rank works, all exchange messages with rank 0, and a barrier lets them begin together
    /// again.
    pub(crate) fn run(self, c: &dyn Communicator, messages: impl Fn()) {
        self.work().run(c, in_step(c, messages));
    }

    /// The same with the mean for every rank.
    pub(crate) fn balanced(self, c: &dyn Communicator, messages: impl Fn()) {
        self.work().balanced(c, in_step(c, messages));
    }

    fn work(self) -> Uneven {
        Uneven { work: hub::work(self.first, self.others), r: self.r }
    }
}

fn in_step(c: &dyn Communicator, messages: impl Fn()) -> impl Fn() {
    move || {
        messages();
        c.barrier();
    }
}
