//! Senders that are late because they wait themselves.

use ats_mpi::{Communicator, SendMode, mpi_commpattern_chain};
use ats_props::{Distribution, Seconds, property};

use crate::family::between::Between;

/// Each rank waits for the one below, which has waited for the one below it.
///
/// Rank 0 works `firstwork` and sends to rank 1; each of the others receives from the rank below, works `basework` and
/// sends to the rank above.
///
/// ```text
/// rank 0  ├─ firstwork ─┬ MPI_Send ┤
/// rank 1  ├─ MPI_Recv ··┬─ base ─┬ MPI_Send ┤
/// rank 2  ├─ MPI_Recv ···········┬─ base ─┬ MPI_Send ┤
///         └─ waits ──────────────┘
/// ```
///
/// Rank i is left i·`basework` behind rank 0, and (r−1)·(`basework` − `firstwork`) more where `basework` is longer. No other
/// wait state shows. Needs eager sends, which is probed at run time.
#[property(
    finds = LateSender,
    formula = "W = Σ (firstwork + (i−1)·basework + (r−1)·max(0, firstwork − basework)) over i ≥ 1",
    cause = BlockedSender,
    min_ranks = 3,
    send_mode = Standard
)]
pub fn blocked_sender(
    /// Work of rank 0 in a repetition.
    #[default(Seconds(0.03))]
    firstwork: Seconds,
    /// Work of each of the others in a repetition, between receiving and sending.
    #[default(Seconds(0.01))]
    basework: Seconds,
    /// Number of repetitions.
    #[default(10)]
    r: usize,
    c: &dyn Communicator,
) {
    let buf = c.base_buf();
    work(firstwork, basework, r).run(c, |work| mpi_commpattern_chain(&buf, work, SendMode::Standard, c));
}

/// Every rank works the mean, and finishes it before the first message.
pub fn balanced(firstwork: Seconds, basework: Seconds, r: usize, c: &dyn Communicator) {
    let buf = c.base_buf();
    work(firstwork, basework, r).balanced(c, |work| mpi_commpattern_chain(&buf, work, SendMode::Standard, c));
}

fn work(firstwork: Seconds, basework: Seconds, r: usize) -> Between {
    Between { before: Distribution::same(0.0), between: Distribution::peak(basework.0, firstwork.0, 0), r }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{RANKS, assert_silent, assert_waits};

    #[test]
    fn waits_are_those_of_the_closed_form() {
        for (first, base) in [(0.05, 0.02), (0.02, 0.05)] {
            for ranks in RANKS {
                let later = 4.0 * f64::max(0.0, first - base);
                let waits =
                    |rank: usize| if rank == 0 { 0.0 } else { first + (rank - 1) as f64 * base + later };
                let (first, base) = (first.to_string(), base.to_string());
                let given = [("firstwork", &*first), ("basework", &*base), ("r", "5")];
                assert_waits(
                    &PROPERTY,
                    ranks,
                    &given,
                    &["blocked_sender", "mpi_commpattern_chain", "MPI_Recv"],
                    waits,
                );
                assert_silent(&PROPERTY, ranks, &given);
            }
        }
    }
}
