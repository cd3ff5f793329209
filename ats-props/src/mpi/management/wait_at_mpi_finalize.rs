//! Waiting for the last to end.

use ats_mpi::par_do_mpi_work;
use ats_props::{Distribution, Process, property};

/// Ranks wait in `MPI_Finalize` because their work is distributed unevenly.
///
/// The program initialises MPI, every rank works for its share of `distribution`, once, and ends. No rank leaves
/// `MPI_Finalize` before the last has come.
///
/// ```text
/// low   ├─ MPI_Init_thread ─┬─ low ──┬─ MPI_Finalize ·········┤
/// high  ├─ MPI_Init_thread ─┼─ high ─┼─────────┬─ MPI_Finalize┤
///                                    └─ waits ─┘
/// ```
///
/// Elsewhere such waits are ambient: any skew that a program has left shows there. Here both calls are the program's
/// own, and measured; processes wait in `MPI_Init_thread` as long as their launcher has not started them together.
#[property(
    finds = WaitAtFinalize,
    formula = "W = S, S = Σ(max w − wᵢ)",
    cause = LateArrival,
    cause = LackOfParallelism,
    min_ranks = 2
)]
pub fn wait_at_mpi_finalize(
    /// Work of each rank.
    #[default(Distribution::block2(0.1, 0.6))]
    distribution: Distribution,
    process: &dyn Process,
) {
    work_and_end(&distribution, process);
}

/// Every rank has the mean.
pub fn balanced(distribution: Distribution, process: &dyn Process) {
    work_and_end(&distribution.balanced(process.size()), process);
}

fn work_and_end(work: &Distribution, process: &dyn Process) {
    let world = process.init();
    par_do_mpi_work(work, 1.0, &*world);
    process.finalize(world);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{DISTRIBUTIONS, RANKS, assert_silent, assert_waits};

    #[test]
    fn everybody_waits_for_the_last() {
        for text in DISTRIBUTIONS {
            let work: Distribution = text.parse().unwrap();
            for ranks in RANKS {
                let given = [("distribution", text)];
                let waits = |rank| work.max(ranks, 1.0) - work.value(rank, ranks, 1.0);
                assert_waits(&PROPERTY, ranks, &given, &["wait_at_mpi_finalize", "MPI_Finalize"], waits);
                assert_silent(&PROPERTY, ranks, &given);
            }
        }
    }
}
