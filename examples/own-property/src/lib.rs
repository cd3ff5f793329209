//! A property of one's own: one function, which is its balanced twin, too, and one attribute.

pub mod slow_solver;

use ats_props::{Balance, Communicator, Seconds, do_work, property};

/// All ranks wait at a barrier for work of one rank alone.
///
/// Rank 0 works `serial` while the others go straight to the barrier.
#[property(
    finds = WaitAtBarrier,
    formula = r * (P - 1) * serial,
    at = "MPI_Barrier",
    each = if i > 0 { r * serial },
    cause = LackOfParallelism,
    min_ranks = 2
)]
pub fn serial_section(
    /// Work of rank 0 alone in a repetition.
    #[default(Seconds(0.02))]
    serial: Seconds,
    /// Number of repetitions.
    #[default(10)]
    r: usize,
    c: &dyn Communicator,
    balance: Balance,
) {
    // In the twin all ranks share the work.
    let share = balance.pick(serial.0, serial.0 / c.size() as f64);
    for _ in 0..r {
        if balance == Balance::Even || c.rank() == 0 {
            do_work(share);
        }
        c.barrier();
    }
}

#[cfg(test)]
mod tests {
    use ats_props::testing::assert_formulas;

    #[test]
    fn formulas_hold_and_the_twin_shows_nothing() {
        assert_formulas(&super::PROPERTY);
    }
}
