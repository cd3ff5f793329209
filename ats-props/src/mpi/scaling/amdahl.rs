//! Work that is not parallel.

use ats_props::{Balance, Communicator, Seconds, do_work, property};

/// All wait while one rank does what is not parallel: the more ranks, the more is lost.
///
/// In each repetition rank 0 works `serial`, and all meet at a barrier; then every rank works its share of `parallel`,
/// and they meet again.
///
/// ```text
/// rank 0  ├─ serial ─┬ MPI_Barrier ┬─ parallel/P ─┬ MPI_Barrier ┤
/// others  ├─ MPI_Barrier ··········┬─ parallel/P ─┬ MPI_Barrier ┤
///         └─ waits ──┘
/// ```
///
/// A run with P ranks takes r·(`serial` + `parallel`/P): its efficiency is (`serial` + `parallel`)/(P·`serial` +
/// `parallel`), and no speed-up gets beyond 1 + `parallel`/`serial` (G. Amdahl, 1967). No rank waits at the second
/// barrier, no skew is left, and no other wait state shows.
#[property(
    finds = WaitAtBarrier,
    formula = r * (P - 1) * serial,
    at = "MPI_Barrier",
    each = if i > 0 { r * serial },
    cause = if alone(0..P, |j| parallel / P + if j == 0 { serial }) { LackOfParallelism } else { LateArrival },
    runs = [1, 2, 4]
)]
pub fn amdahl(
    /// Work of rank 0 alone in a repetition.
    #[default(Seconds(0.02))]
    serial: Seconds,
    /// Work that all ranks share in a repetition.
    #[default(Seconds(0.08))]
    parallel: Seconds,
    /// Number of repetitions.
    #[default(5)]
    r: usize,
    c: &dyn Communicator,
    balance: Balance,
) {
    let of_rank = if c.rank() == 0 { serial.0 } else { 0.0 };
    let share = balance.pick(of_rank, serial.0 / c.size() as f64);
    for _ in 0..r {
        do_work(share);
        c.barrier();
        do_work(parallel.0 / c.size() as f64);
        c.barrier();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{RANKS, assert_close, simulate};

    #[test]
    fn no_run_is_shorter_than_its_serial_part() {
        for ranks in RANKS {
            let wall_time = simulate(&PROPERTY, (ranks, 1), &[], false).wall_time();
            assert_close(wall_time, 5.0 * (0.02 + 0.08 / ranks as f64));
        }
    }
}
