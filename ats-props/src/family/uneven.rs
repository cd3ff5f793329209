//! Unevenly distributed work, followed by a wait of all ranks for the last.

use ats_mpi::{BaseComm, Counts, MpiBuf, Op, ReduceOp, par_do_mpi_work};

use crate::{Balance, Communicator, Distribution};

/// Work of each rank in each of `r` repetitions.
pub(crate) struct Uneven {
    pub(crate) work: Distribution,
    pub(crate) r: usize,
}

impl Uneven {
    /// In each repetition every rank works for its share, in the twin for the mean, and then calls an operation in which
    /// all wait for the last.
    pub(crate) fn run(self, balance: Balance, c: &dyn Communicator, mut call: impl FnMut()) {
        let work = balance.share(self.work, c.size());
        for _ in 0..self.r {
            par_do_mpi_work(&work, 1.0, c);
            call();
        }
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
