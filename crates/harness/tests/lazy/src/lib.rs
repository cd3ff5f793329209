//! Properties from a crate of its own.

pub mod clumsy_team;
pub mod open_ended;

use ats_props::{Communicator, Seconds, do_work, property};

/// Every rank waits for rank 0 at a barrier.
#[property(finds = WaitAtBarrier, formula = (P - 1) * work)]
pub fn lazy_master(
    /// Work of rank 0 alone.
    #[default(Seconds(0.001))]
    work: Seconds,
    /// The rank that breaks down.
    #[default(1000)]
    broken: usize,
    c: &dyn Communicator,
) {
    assert_ne!(c.rank(), broken, "broken as asked for");
    if c.rank() == 0 {
        do_work(work.0);
    }
    c.barrier();
}

/// The same work, shared by all.
pub fn balanced(work: Seconds, _broken: usize, c: &dyn Communicator) {
    do_work(work.0 / c.size() as f64);
    c.barrier();
}
