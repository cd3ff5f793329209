//! Unevenly distributed work, followed by a wait of all ranks for the last.

use ats_mpi::{BaseComm, Counts, MpiBuf, Op, ReduceOp, par_do_mpi_work};

use crate::formula::Amounts;
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

/// Whether nearly all wait for one in a prefix operation, which waits for the last of those below, but for what is hidden
/// behind other work.
pub(crate) fn all_for_one(work: Amounts<'_>, hidden: f64) -> bool {
    /// The part of waits, and of the others that wait, that are nearly all.
    const NEARLY_ALL: f64 = 0.9;
    /// The part of the longest wait that counts as one.
    const WORTH: f64 = 0.1;
    let work: Vec<f64> = work.iter().collect();
    let (mut last, mut waits, mut costs) = (0, Vec::new(), vec![0.0; work.len()]);
    for (rank, &own) in work.iter().enumerate() {
        if own > work[last] {
            last = rank;
        }
        let wait = f64::max(0.0, work[last] - own - hidden);
        waits.push(wait);
        costs[last] += wait;
    }
    let most = |of: &[f64]| of.iter().copied().fold(0.0, f64::max);
    let longest = most(&waits);
    let waiting = waits.iter().filter(|&&wait| wait > 0.0 && wait >= WORTH * longest).count();
    waiting > 1
        && waiting as f64 >= NEARLY_ALL * (work.len() - 1) as f64
        && most(&costs) >= NEARLY_ALL * waits.iter().sum::<f64>()
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
