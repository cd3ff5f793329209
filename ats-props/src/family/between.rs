//! Work before messages, and work between them that other ranks wait for.

use ats_work::do_work;

use crate::{Communicator, Distribution};

/// Work of each rank, and its place, in each of `r` repetitions.
pub(crate) struct Between {
    /// Before the messages.
    pub(crate) before: Distribution,
    /// Work between them.
    pub(crate) between: Distribution,
    pub(crate) r: usize,
}

impl Between {
    /// In each repetition every rank works for its share of `before`; `messages` then works for its argument between
    /// them.
    pub(crate) fn run(&self, c: &dyn Communicator, messages: impl Fn(f64)) {
        let [before, between] = [&self.before, &self.between].map(|work| work.value(c.rank(), c.size(), 1.0));
        for _ in 0..self.r {
            do_work(before);
            messages(between);
        }
    }

    /// Every rank works for the mean of both, and finishes it before the messages.
    pub(crate) fn balanced(&self, c: &dyn Communicator, messages: impl Fn(f64)) {
        let mean = self.before.mean(c.size(), 1.0) + self.between.mean(c.size(), 1.0);
        let before = Distribution::same(mean);
        Between { before, between: Distribution::same(0.0), r: self.r }.run(c, messages);
    }
}
