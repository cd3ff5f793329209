//! Uneven work before a cyclic shift.

use ats_mpi::{Communicator, Direction, SendMode, Transfer, mpi_commpattern_shift};
use ats_props::{Distribution, property};

use crate::family::uneven::Uneven;

/// Ranks wait for their neighbours in a cyclic shift because their work is distributed unevenly.
///
/// Every rank works for its share of `distribution`, and then sends to one neighbour and receives from the other,
/// around the ring.
///
/// ```text
/// low   ├─ low ──┬─ MPI_Sendrecv ·········┤
/// high  ├─ high ─┼─────────┬─ MPI_Sendrecv┤
///                └─ waits ─┘
/// ```
///
/// The wait travels: in the next repetition a rank that has waited is late for the next neighbour. Sent at times A(k)
/// = D(k−1) + w, the messages are there at D(k) = max(A(k), A(k) of the neighbour), and W sums D − A: for a rank with
/// δ more than the others δ·r(r+1)/2, up to `r` = P−1, and δ·(P−1) in each further repetition; for `cyclic2` and an
/// even number of ranks r·(P/2)·δ. Ranks are left as far apart as D(r) are. No other wait state shows. Needs eager
/// sends, which is probed at run time: with large messages a rank would have to wait for both neighbours.
#[property(
    finds = LateSender,
    formula = "W = Σ max(0, w of the neighbour − w) for r = 1; for more by recurrence",
    cause = BlockedSender,
    cause = UnevenWork,
    min_ranks = 2,
    send_mode = Standard
)]
pub fn imbalance_at_shift(
    /// Work of each rank in a repetition.
    #[default(Distribution::block2(0.01, 0.06))]
    distribution: Distribution,
    /// Send to the next higher rank, not to the next lower one.
    #[default(true)]
    up: bool,
    /// Number of repetitions.
    #[default(10)]
    r: usize,
    c: &dyn Communicator,
) {
    Uneven { work: distribution, r }.run(c, shift(up, c));
}

/// Every rank has the mean.
pub fn balanced(distribution: Distribution, up: bool, r: usize, c: &dyn Communicator) {
    Uneven { work: distribution, r }.balanced(c, shift(up, c));
}

fn shift(up: bool, c: &dyn Communicator) -> impl Fn() {
    let (send, recv) = (c.base_buf(), c.base_buf());
    let direction = if up { Direction::Up } else { Direction::Down };
    let transfer = Transfer { mode: SendMode::Standard, ..Transfer::SYNCHRONOUS };
    move || mpi_commpattern_shift(&send, &recv, direction, transfer, c)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::WaitState;
    use crate::testing::{DISTRIBUTIONS, RANKS, assert_close, assert_silent, assert_waits, simulate};

    /// The wait of each rank, and its end.
    fn recurrence(work: &[f64], up: bool, r: usize) -> [Vec<f64>; 2] {
        let ranks = work.len();
        let (mut waits, mut done) = (vec![0.0; ranks], vec![0.0; ranks]);
        for _ in 0..r {
            let sent: Vec<f64> = (0..ranks).map(|rank| done[rank] + work[rank]).collect();
            for rank in 0..ranks {
                let neighbour = (rank + if up { ranks - 1 } else { 1 }) % ranks;
                done[rank] = sent[rank].max(sent[neighbour]);
                waits[rank] += done[rank] - sent[rank];
            }
        }
        [waits, done]
    }

    #[test]
    fn waits_travel_around_the_ring() {
        for text in DISTRIBUTIONS {
            let distribution: Distribution = text.parse().unwrap();
            for ranks in RANKS {
                let work: Vec<f64> = distribution.values(ranks, 1.0).collect();
                for (up, r) in [("true", "5"), ("false", "7"), ("true", "1")] {
                    let [waits, done] = recurrence(&work, up == "true", r.parse().unwrap());
                    let given = [("distribution", text), ("up", up), ("r", r)];
                    let path = ["imbalance_at_shift", "mpi_commpattern_shift", "MPI_Sendrecv"];
                    assert_waits(&PROPERTY, ranks, &given, &path, |rank| waits[rank]);
                    let ends = simulate(&PROPERTY, (ranks, 1), &given, false).ends;
                    done.iter().zip(ends).for_each(|(known, end)| assert_close(end, *known));
                }
                assert_silent(&PROPERTY, ranks, &[("distribution", text), ("r", "5")]);
            }
        }
    }

    #[test]
    fn closed_forms_of_two_shapes() {
        for ranks in 2..=33_usize {
            for r in 1..=9_usize {
                let total = |distribution| {
                    let given = [("distribution", distribution), ("r", &*r.to_string())];
                    simulate(&PROPERTY, (ranks, 1), &given, false).waiting_time(WaitState::LateSender)
                };
                let travelling: usize = (1..=r).map(|k| k.min(ranks - 1)).sum();
                assert_close(total("peak:0.01:0.05:1"), 0.04 * travelling as f64);
                if ranks % 2 == 0 {
                    assert_close(total("cyclic2:0.01:0.05"), 0.04 * (r * ranks / 2) as f64);
                }
            }
        }
    }
}
