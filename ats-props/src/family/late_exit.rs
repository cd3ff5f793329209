//! Late returns from a collective operation that releases all ranks at once.

use ats_mpi::Op;

use crate::{Communicator, Distribution, do_work};

/// Delay of each rank's return in each of `r` repetitions.
pub(crate) struct LateExit {
    pub(crate) delay: Distribution,
    pub(crate) r: usize,
}

impl LateExit {
    /// In each repetition every rank returns late by its delay from the operation, and then works until the last has
    /// returned: all come to the next one together.
    pub(crate) fn run(&self, c: &dyn Communicator, op: &Op) {
        let delay = self.delay.value(c.rank(), c.size(), 1.0);
        self.repeat(delay, self.last(c) - delay, c, op);
    }

    /// Every rank returns with the first, and the work is shared.
    pub(crate) fn balanced(&self, c: &dyn Communicator, op: &Op) {
        let first = self.delay.values(c.size(), 1.0).fold(f64::INFINITY, f64::min);
        self.repeat(first, self.last(c) - self.delay.mean(c.size(), 1.0), c, op);
    }

    /// When the last returns.
    fn last(&self, c: &dyn Communicator) -> f64 {
        self.delay.max(c.size(), 1.0)
    }

    fn repeat(&self, delay: f64, work: f64, c: &dyn Communicator, op: &Op) {
        for _ in 0..self.r {
            c.call_delayed(op.clone(), delay);
            do_work(work);
        }
    }
}
