//! Work is distributed unevenly, and then everybody waits for the last.

use ats_mpi::{BaseComm, MpiBuf, par_do_mpi_work};

use crate::{Communicator, Distribution};

/// Who works how long in each of `r` repetitions.
pub(crate) struct Uneven {
    pub(crate) work: Distribution,
    pub(crate) r: usize,
}

impl Uneven {
    /// In each repetition everybody works for its share, and then calls what nobody leaves before the last has come.
    pub(crate) fn run(&self, c: &dyn Communicator, call: impl Fn()) {
        for _ in 0..self.r {
            par_do_mpi_work(&self.work, 1.0, c);
            call();
        }
    }

    /// The same with the mean for everybody.
    pub(crate) fn balanced(&self, c: &dyn Communicator, call: impl Fn()) {
        Uneven { work: self.work.balanced(c.size()), r: self.r }.run(c, call);
    }
}

/// What everybody exchanges with everybody where parts differ: a default block for even ranks, two for odd ones.
pub(crate) struct Irregular {
    pub(crate) send: MpiBuf,
    pub(crate) send_counts: Vec<usize>,
    pub(crate) recv: MpiBuf,
    pub(crate) recv_counts: Vec<usize>,
}

impl Irregular {
    pub(crate) fn new(c: &dyn Communicator) -> Self {
        let BaseComm { datatype, count } = c.base_comm();
        let with = |rank: usize| count * (1 + rank % 2);
        let send_counts: Vec<usize> = (0..c.size()).map(with).collect();
        let recv_counts = vec![with(c.rank()); c.size()];
        let buf = |counts: &[usize]| c.alloc_mpi_buf(datatype, counts.iter().sum());
        Irregular { send: buf(&send_counts), send_counts, recv: buf(&recv_counts), recv_counts }
    }
}

/// Everybody waits for the last in this call, and in the twin nobody.
#[cfg(test)]
pub(crate) fn assert_waits_for_the_last(property: &'static crate::Property, call: &str) {
    use crate::testing::{DISTRIBUTIONS, assert_silent, assert_waits};

    for text in DISTRIBUTIONS {
        let work: Distribution = text.parse().unwrap();
        for ranks in 1..=33 {
            let waits = |rank| 3.0 * (work.max(ranks, 1.0) - work.value(rank, ranks, 1.0));
            let given = [("distribution", text), ("r", "3")];
            assert_waits(property, ranks, &given, &[property.name, call], waits);
            assert_silent(property, ranks, &[("distribution", text)]);
        }
    }
}
