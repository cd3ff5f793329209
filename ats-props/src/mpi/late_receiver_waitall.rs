//! A call that completes several sends, of which some are received late.

use ats_mpi::{Communicator, SendMode, Source, Tag};
use ats_props::{Distribution, Seconds, property};

use crate::family::hub;
use crate::family::uneven::Uneven;

/// A rank waits in one call for the receives of all others, of which the last counts.
///
/// Rank 0 works `basework`, starts a synchronous send to each of the others, and waits for all in one `MPI_Waitall`; the
/// others work for their shares of `distribution` and receive. A barrier ends the repetition.
///
/// ```text
/// rank 0  ├─ base ─┬─ MPI_Waitall ···············┬─ MPI_Barrier ─┤
/// rank 1  ├─ low ────┬ MPI_Recv ┬─ MPI_Barrier ··················┤
/// rank 2  ├─ high ──────────────────┬ MPI_Recv ──┬─ MPI_Barrier ─┤
///                  └─── waits ──────┘
/// ```
///
/// The wait is one, for the last receive. With w of work of a rank and M the most of all but rank 0, the barrier shows
/// r·(max(`basework`, M) − max(`basework`, w)) there, and rank j a late sender of r·max(0, `basework` − w): none where
/// nobody works less than rank 0. No skew is left.
#[property(
    finds = LateReceiver,
    formula = "W = r·max(0, M − basework), M = max w of the others, at rank 0",
    min_ranks = 2,
    send_mode = Synchronous
)]
pub fn late_receiver_waitall(
    /// Who works how long in a repetition; but for rank 0.
    #[default(Distribution::block2(0.01, 0.06))]
    distribution: Distribution,
    /// Work of rank 0 in a repetition.
    #[default(Seconds(0.01))]
    basework: Seconds,
    /// Repetitions.
    #[default(10)]
    r: usize,
    c: &dyn Communicator,
) {
    Uneven { work: hub::work(basework.0, distribution), r }.run(c, messages(c));
}

/// Everybody has the mean.
pub fn balanced(distribution: Distribution, basework: Seconds, r: usize, c: &dyn Communicator) {
    Uneven { work: hub::work(basework.0, distribution), r }.balanced(c, messages(c));
}

fn messages(c: &dyn Communicator) -> impl Fn() {
    let buf = c.base_buf();
    move || {
        if c.rank() > 0 {
            c.recv(Source::Rank(0), Tag::Is(hub::OUT), &buf);
        } else {
            let start = |rank| c.isend_as(SendMode::Synchronous, rank, hub::OUT, &buf);
            c.waitall((1..c.size()).map(start).collect());
        }
        c.barrier();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::WaitState;
    use crate::testing::{DISTRIBUTIONS, Shows, assert_shows, assert_silent};

    #[test]
    fn the_last_receive_counts() {
        for text in DISTRIBUTIONS {
            let distribution: Distribution = text.parse().unwrap();
            for (ranks, basework) in (1..=33).flat_map(|ranks| [(ranks, "10ms"), (ranks, "30ms")]) {
                let base = if basework == "10ms" { 0.01 } else { 0.03 };
                let work = |rank| if rank == 0 { base } else { distribution.value(rank, ranks, 1.0) };
                let most = (0..ranks).map(work).fold(base, f64::max);
                let receiver = |rank, _| if rank == 0 { 5.0 * (most - base) } else { 0.0 };
                let sender = |rank, _| 5.0 * (base - work(rank)).max(0.0);
                let barrier = |rank, _| if rank == 0 { 0.0 } else { 5.0 * (most - base.max(work(rank))) };
                let shows = |state, call_path, seconds| Shows { state: Some(state), call_path, seconds };
                let given = [("distribution", text), ("basework", basework), ("r", "5")];
                assert_shows(
                    &PROPERTY,
                    (ranks, 1),
                    &given,
                    &[
                        shows(WaitState::LateReceiver, &["late_receiver_waitall", "MPI_Waitall"], &receiver),
                        shows(WaitState::LateSender, &["late_receiver_waitall", "MPI_Recv"], &sender),
                        shows(WaitState::WaitAtBarrier, &["late_receiver_waitall", "MPI_Barrier"], &barrier),
                    ],
                );
                assert_silent(&PROPERTY, ranks, &given);
            }
        }
    }
}
