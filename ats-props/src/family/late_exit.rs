//! Late returns from a collective operation that releases all ranks at once.

use ats_mpi::Op;

use crate::{Balance, Communicator, Distribution, do_work};

/// Delay of each rank's return in each of `r` repetitions.
pub(crate) struct LateExit {
    pub(crate) delay: Distribution,
    pub(crate) r: usize,
}

impl LateExit {
    /// In each repetition every rank returns late by its delay from the operation, and then works until the last has
    /// returned: all come to the next one together. In the twin all return with the first, and the work is shared.
    pub(crate) fn run(&self, balance: Balance, c: &dyn Communicator, op: &Op) {
        let (size, last) = (c.size(), self.delay.max(c.size(), 1.0));
        let (delay, work) = match balance {
            Balance::Uneven => {
                let delay = self.delay.value(c.rank(), size, 1.0);
                (delay, last - delay)
            }
            Balance::Even => {
                let first = self.delay.values(size, 1.0).fold(f64::INFINITY, f64::min);
                (first, last - self.delay.mean(size, 1.0))
            }
        };
        for _ in 0..self.r {
            c.call_delayed(op.clone(), delay);
            do_work(work);
        }
    }
}
