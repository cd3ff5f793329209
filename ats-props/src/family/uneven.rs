//! Unevenly distributed work, followed by a wait of all ranks for the last.

use ats_mpi::{BaseComm, Counts, MpiBuf, Op, ReduceOp, par_do_mpi_work};

use crate::{Communicator, Distribution};

/// Work of each rank in each of `r` repetitions.
pub(crate) struct Uneven {
    pub(crate) work: Distribution,
    pub(crate) r: usize,
}

impl Uneven {
    /// In each repetition every rank works for its share, and then calls an operation in which all wait for the last.
    pub(crate) fn run(&self, c: &dyn Communicator, mut call: impl FnMut()) {
        for _ in 0..self.r {
            par_do_mpi_work(&self.work, 1.0, c);
            call();
        }
    }

    /// The same with the mean for every rank.
    pub(crate) fn balanced(&self, c: &dyn Communicator, call: impl FnMut()) {
        Uneven { work: self.work.balanced(c.size()), r: self.r }.run(c, call);
    }
}

/// Makes the call, as often as it is called.
pub(crate) fn calls(op: Op, c: &dyn Communicator) -> impl Fn() {
    move || {
        c.call(op.clone());
    }
}

/// Every rank gets the least value of all.
pub(crate) fn allreduce(c: &dyn Communicator) -> impl Fn() {
    let (send, recv) = (c.base_buf(), c.base_buf());
    move || c.allreduce(ReduceOp::Min, &send, &recv)
}

/// Unequal parts that every rank exchanges with every other: a default block for even ranks, two for odd ones.
pub(crate) struct Irregular {
    pub(crate) send: MpiBuf,
    pub(crate) send_counts: Counts,
    pub(crate) recv: MpiBuf,
    pub(crate) recv_counts: Counts,
}

impl Irregular {
    pub(crate) fn new(c: &dyn Communicator) -> Self {
        let BaseComm { datatype, count } = c.base_comm();
        let with = [count, 2 * count];
        let send_counts = Counts::repeated(with, c.size());
        let recv_counts = Counts::same(with[c.rank() % 2], c.size());
        let buf = |counts: &Counts| c.alloc_mpi_buf(datatype, counts.sum());
        Irregular { send: buf(&send_counts), send_counts, recv: buf(&recv_counts), recv_counts }
    }
}

/// Asserts that every rank waits for the last of the lower ranks in this call, and that the twin does not wait.
#[cfg(test)]
pub(crate) fn assert_waits_for_lower(property: &'static crate::Property, call: &str) {
    assert_waits_for(property, call, |work, rank| work.iter().take(rank + 1).copied().fold(0.0, f64::max));
}

/// Asserts that every rank waits for the last in this call, and that the twin does not wait.
#[cfg(test)]
pub(crate) fn assert_waits_for_the_last(property: &'static crate::Property, call: &str) {
    assert_waits_for(property, call, |work, _| work.iter().copied().fold(0.0, f64::max));
}

/// Asserts that in each repetition a rank goes on after this much work, given the work of all and its number.
#[cfg(test)]
fn assert_waits_for(property: &'static crate::Property, call: &str, until: impl Fn(&[f64], usize) -> f64) {
    use crate::testing::{DISTRIBUTIONS, assert_silent, assert_waits};

    for text in DISTRIBUTIONS {
        let distribution: Distribution = text.parse().unwrap();
        for ranks in crate::testing::ranks(property) {
            let work: Vec<f64> = distribution.values(ranks, 1.0).collect();
            let waits = |rank| 5.0 * (until(&work, rank) - work[rank]);
            let given = [("distribution", text), ("r", "5")];
            assert_waits(property, ranks, &given, &[property.name, call], waits);
            assert_silent(property, ranks, &[("distribution", text)]);
        }
    }
}
