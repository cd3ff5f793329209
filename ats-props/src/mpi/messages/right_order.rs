//! A late sender that is not due to the order of receives.

use ats_mpi::Communicator;
use ats_props::{Distribution, Seconds, property};

use crate::family::between::Between;
use crate::token::{Collect, pass_token};

/// A rank waits for every message in turn, in the order in which they are sent.
///
/// As [`super::wrong_order`], but rank 0 receives the reports from rank 1 up: it waits `basework` for each. Rank 0 waits
/// exactly as long in total; only the order differs, so a tool that finds wrong order here is wrong.
///
/// ```text
/// rank 0  ├─ MPI_Recv (from 1) ─┬─ MPI_Recv (from 2) ─┤
/// rank 1  ├─ work ──┬ MPI_Send ─┤                     │
/// rank 2  ├─ MPI_Recv ──────────┬─ work ──┬ MPI_Send ─┤
/// ```
///
/// Rank i is left (P−1−i)·`basework` ahead of the last. Needs eager sends, which is probed at run time.
#[property(
    finds = LateSender,
    formula = "W = r·(P−1)·basework at rank 0, (P−1)·(P−2)·(r−1/2)·basework in the chain",
    cause = BlockedSender,
    min_ranks = 3,
    send_mode = Standard
)]
pub fn right_order(
    /// Work of every rank but the first between receiving the token and passing it on.
    #[default(Seconds(0.01))]
    basework: Seconds,
    /// Number of repetitions.
    #[default(10)]
    r: usize,
    c: &dyn Communicator,
) {
    work(basework, r).run(c, |work| pass_token(work, Collect::FirstFirst, c));
}

/// Every rank works the mean, and finishes it before the token starts.
pub fn balanced(basework: Seconds, r: usize, c: &dyn Communicator) {
    work(basework, r).balanced(c, |work| pass_token(work, Collect::FirstFirst, c));
}

fn work(basework: Seconds, r: usize) -> Between {
    Between { before: Distribution::same(0.0), between: Distribution::peak(basework.0, 0.0, 0), r }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::WaitState;
    use crate::testing::{RANKS, assert_close, assert_silent, simulate};

    #[test]
    fn waits_are_those_of_the_closed_form() {
        let (r, work) = (4, 0.01);
        for ranks in RANKS {
            let outcome = simulate(&PROPERTY, (ranks, 1), &[("r", "4")], false);
            let others = (ranks - 1) as f64;
            let chain = (1..ranks).map(|rank| {
                let first = (rank - 1) as f64 * work;
                first + (r - 1) as f64 * (others - 1.0) * work
            });
            let late = WaitState::LateSender;
            assert_close(outcome.waiting_time_of(late, 0), r as f64 * others * work);
            assert_close(outcome.waiting_time(late), chain.sum::<f64>() + r as f64 * others * work);
            assert_close(outcome.waiting_time(WaitState::LateSenderWrongOrderDifferentSources), 0.0);
        }
    }

    #[test]
    fn its_twin_shows_nothing() {
        RANKS.into_iter().for_each(|ranks| assert_silent(&PROPERTY, ranks, &[]));
    }
}
