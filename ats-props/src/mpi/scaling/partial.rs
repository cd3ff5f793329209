//! Work for some of the ranks.

use ats_props::{Communicator, Distribution, Seconds, property};

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
    formula = "W = r·max(0, P−k)·parallel/k",
    cause = LateArrival,
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
) {
    Uneven { work: work(parallel, k, c), r }.run(c, || c.barrier());
}

/// All ranks share the work.
pub fn balanced(parallel: Seconds, k: usize, r: usize, c: &dyn Communicator) {
    Uneven { work: work(parallel, k, c), r }.balanced(c, || c.barrier());
}

fn work(parallel: Seconds, k: usize, c: &dyn Communicator) -> Distribution {
    let sharing = k.clamp(1, c.size());
    let each = parallel.0 / sharing as f64;
    Distribution::user("some ranks", move |me, _, scale| if me < sharing { each * scale } else { 0.0 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{RANKS, assert_close, assert_silent, assert_waits, simulate};

    #[test]
    fn those_without_work_wait_for_those_with_it() {
        for (k, sharing) in [("1", 1), ("2", 2), ("5", 5), ("0", 1)] {
            for ranks in RANKS {
                let given = [("k", k)];
                let each = 0.1 / usize::min(sharing, ranks) as f64;
                let waits = |rank| if rank < sharing { 0.0 } else { 5.0 * each };
                assert_waits(&PROPERTY, ranks, &given, &["partial", "MPI_Barrier"], waits);
                assert_silent(&PROPERTY, ranks, &given);
                assert_close(simulate(&PROPERTY, (ranks, 1), &given, false).wall_time(), 5.0 * each);
            }
        }
    }
}
