//! Operations that are started, overlapped with work, and waited for.

use ats_mpi::{How, Op};
use ats_work::do_work;

use crate::{Communicator, Seconds};

/// Starts the operation, works so long, and waits for it.
pub(crate) fn overlapped(op: Op, work: f64, c: &dyn Communicator) {
    let request = c.start(op);
    do_work(work);
    c.wait(request);
}

/// Makes an overlapped operation, as often as it is called.
pub(crate) fn overlapping(op: Op, overlap: Seconds, c: &dyn Communicator) -> impl Fn() {
    move || overlapped(op.clone(), overlap.0, c)
}

/// Prepares the operation once, and makes it, overlapped, as often as it is called.
pub(crate) fn overlapping_persistent(op: Op, overlap: Seconds, c: &dyn Communicator) -> impl FnMut() {
    let mut request = vec![c.init(op)];
    move || {
        c.restart(&request[0]);
        do_work(overlap.0);
        c.complete(How::Wait, &mut request);
    }
}
