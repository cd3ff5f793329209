//! Work before messages, and work between them that other ranks wait for.

use ats_work::do_work;

use crate::{Balance, Communicator, Distribution};

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
    /// them. In the twin every rank works for the mean of both, and finishes it before the messages.
    pub(crate) fn run(&self, balance: Balance, c: &dyn Communicator, messages: impl Fn(f64)) {
        let size = c.size();
        let [before, between] = match balance {
            Balance::Uneven => [&self.before, &self.between].map(|work| work.value(c.rank(), size, 1.0)),
            Balance::Even => [self.before.mean(size, 1.0) + self.between.mean(size, 1.0), 0.0],
        };
        for _ in 0..self.r {
            do_work(before);
            messages(between);
        }
    }
}
