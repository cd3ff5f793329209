//! A token that goes up the ranks, and reports that go to rank 0.

use ats_mpi::{Communicator, Source, Tag};
use ats_work::do_work;

/// In which order rank 0 receives the reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Collect {
    /// From rank 1 up: as they are sent.
    FirstFirst,
    /// From the last rank down.
    LastFirst,
}

const TOKEN: u32 = 1;
const REPORT: u32 = 2;

/// Rank 0 starts a token; every other rank receives it, works, passes it on and reports to rank 0.
pub(crate) fn pass_token(work: f64, collect: Collect, c: &dyn Communicator) {
    let (me, size) = (c.rank(), c.size());
    let buf = c.base_buf();
    let pass_on = || {
        if me + 1 < size {
            c.send(me + 1, TOKEN, &buf);
        }
    };
    if me > 0 {
        c.recv(Source::Rank(me - 1), Tag::Is(TOKEN), &buf);
        do_work(work);
        pass_on();
        c.send(0, REPORT, &buf);
        return;
    }
    pass_on();
    let receive = |rank| {
        c.recv(Source::Rank(rank), Tag::Is(REPORT), &buf);
    };
    match collect {
        Collect::FirstFirst => (1..size).for_each(receive),
        Collect::LastFirst => (1..size).rev().for_each(receive),
    }
}
