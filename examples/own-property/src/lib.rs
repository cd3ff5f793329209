//! A property of one's own: one function, its balanced twin, one attribute.

use ats_props::{Communicator, Seconds, do_work, property};

/// Everybody waits at a barrier for what one rank does alone.
///
/// Rank 0 works `serial` while the others go straight to the barrier.
#[property(finds = WaitAtBarrier, formula = "W = r·(P−1)·serial", min_ranks = 2)]
pub fn serial_section(
    /// What rank 0 does alone in a repetition.
    #[default(Seconds(0.02))]
    serial: Seconds,
    /// Repetitions.
    #[default(10)]
    r: usize,
    c: &dyn Communicator,
) {
    for _ in 0..r {
        if c.rank() == 0 {
            do_work(serial.0);
        }
        c.barrier();
    }
}

/// All ranks share the work.
pub fn balanced(serial: Seconds, r: usize, c: &dyn Communicator) {
    for _ in 0..r {
        do_work(serial.0 / c.size() as f64);
        c.barrier();
    }
}
