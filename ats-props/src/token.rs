//! A token that goes up the ranks, and reports that go to rank 0.

use ats_mpi::{Communicator, SendMode, Source, Tag, mpi_commpattern_chain};

/// The order in which rank 0 receives the reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Collect {
    /// From rank 1 up: as they are sent.
    FirstFirst,
    /// From the last rank down.
    LastFirst,
}

const REPORT: u32 = 2;

/// Rank 0 starts a token; every other rank receives it, works, passes it on and reports to rank 0.
pub(crate) fn pass_token(work: f64, collect: Collect, c: &dyn Communicator) {
    let buf = c.base_buf();
    mpi_commpattern_chain(&buf, work, SendMode::Standard, c);
    if c.rank() > 0 {
        c.send(0, REPORT, &buf);
        return;
    }
    let receive = |rank| {
        c.recv(Source::Rank(rank), Tag::Is(REPORT), &buf);
    };
    match collect {
        Collect::FirstFirst => (1..c.size()).for_each(receive),
        Collect::LastFirst => (1..c.size()).rev().for_each(receive),
    }
}
