//! The root of a collective operation works longer or shorter than the others, which are alike.

use ats_mpi::ReduceOp;

use super::uneven::Uneven;
use crate::{Balance, Communicator, Distribution};

/// Work of the root and of the others in each of `r` repetitions, in seconds.
pub(crate) struct Rooted {
    pub(crate) of_root: f64,
    pub(crate) of_others: f64,
    /// Counted modulo the number of ranks.
    pub(crate) root: usize,
    pub(crate) r: usize,
}

impl Rooted {
    /// In each repetition every rank works, in the twin for the mean, and calls; `call` makes the operation with its
    /// buffers, once.
    pub(crate) fn run<'a, F: Fn() + 'a>(
        &self,
        balance: Balance,
        c: &'a dyn Communicator,
        call: impl FnOnce(usize, &'a dyn Communicator) -> F,
    ) {
        let root = self.root % c.size();
        let work = Distribution::peak(self.of_others, self.of_root, root);
        Uneven { work, r: self.r }.run(balance, c, call(root, c));
    }
}

/// The root broadcasts a message.
pub(crate) fn broadcast(root: usize, c: &dyn Communicator) -> impl Fn() {
    let buf = c.base_buf();
    move || c.bcast(root, &buf)
}

/// The root gets the least value of all.
pub(crate) fn reduce(root: usize, c: &dyn Communicator) -> impl Fn() {
    let send = c.base_buf();
    let recv = (c.rank() == root).then(|| c.base_buf());
    move || c.reduce(ReduceOp::Min, root, &send, recv.as_ref())
}

/// Asserts that the root and the others are done after this much work each, and that none waits.
#[cfg(test)]
pub(crate) fn assert_nobody_waits(property: &'static crate::Property, of_root: f64, of_others: f64) {
    for root in [0, 1, 40] {
        let given = [("root", &*root.to_string())];
        let end = |rank, ranks| if rank == root % ranks { of_root } else { of_others };
        crate::testing::assert_nobody_waits(property, &given, end);
    }
}
