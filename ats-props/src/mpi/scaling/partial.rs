//! Work for some of the ranks.

use ats_props::{Balance, Communicator, Distribution, Seconds, property};

use crate::family::uneven::Uneven;

/// Only some of the ranks share the work, and the others wait: more ranks make it no faster.
///
/// In each repetition the first `k` ranks, or all if they are fewer, share `parallel`; a barrier ends it.
///
/// ```text
/// k ranks  ├─ parallel/k ─┬ MPI_Barrier ┤
/// others   ├─ MPI_Barrier ··············┤
///          └─ waits ──────┘
/// ```
///
/// Up to `k` ranks the speed-up is that of a perfect program, and stays there. No skew is left, and no other wait state
/// shows.
#[property(
    finds = WaitAtBarrier,
    formula = r * max(0, P - max(1, k)) * parallel / max(1, k),
    at = "MPI_Barrier",
    each = if i >= max(1, k) { r * parallel / max(1, k) },
    cause = if alone(0..P, |j| if j < max(1, k) { parallel }) { LackOfParallelism } else { LateArrival },
    runs = [1, 2, 4]
)]
pub fn partial(
    /// Work that the ranks share in a repetition.
    #[default(Seconds(0.1))]
    parallel: Seconds,
    /// The number of ranks that share it, at least one.
    #[default(2)]
    k: usize,
    /// Number of repetitions.
    #[default(5)]
    r: usize,
    c: &dyn Communicator,
    balance: Balance,
) {
    let sharing = k.clamp(1, c.size());
    let each = parallel.0 / sharing as f64;
    let share = move |me, _, scale| if me < sharing { each * scale } else { 0.0 };
    let work = Distribution::user("some ranks", share);
    Uneven { work, r }.run(balance, c, || c.barrier());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{RANKS, assert_close, simulate};

    #[test]
    fn more_ranks_than_share_the_work_make_it_no_faster() {
        for (k, sharing) in [("1", 1), ("2", 2), ("5", 5), ("0", 1)] {
            for ranks in RANKS {
                let wall_time = simulate(&PROPERTY, (ranks, 1), &[("k", k)], false).wall_time();
                assert_close(wall_time, 5.0 * 0.1 / usize::min(sharing, ranks) as f64);
            }
        }
    }
}
