//! Uneven work before a cyclic shift.

use ats_mpi::{Communicator, Direction, SendMode, Transfer, mpi_commpattern_shift};
use ats_props::{Balance, Distribution, property};

use crate::family::uneven::Uneven;
use crate::formula::Amounts;

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
/// = D(k−1) + w, the messages are there at D(k) = max(A(k), A(k) of the neighbour), and `travelled` sums D − A: for a
/// rank with δ more than the others δ·r(r+1)/2, up to `r` = P−1, and δ·(P−1) in each further repetition; for `cyclic2` and an
/// even number of ranks r·(P/2)·δ. Ranks are left as far apart as D(r) are. No other wait state shows. Needs eager
/// sends, which is probed at run time: with large messages a rank would have to wait for both neighbours.
#[property(
    finds = LateSender,
    at = "mpi_commpattern_shift/MPI_Sendrecv",
    each = travelled(distribution, up, r, P, i),
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
    balance: Balance,
) {
    let (send, recv) = (c.base_buf(), c.base_buf());
    let direction = if up { Direction::Up } else { Direction::Down };
    let transfer = Transfer { mode: SendMode::Standard, ..Transfer::SYNCHRONOUS };
    Uneven { work: distribution, r }
        .run(balance, c, move || mpi_commpattern_shift(&send, &recv, direction, transfer, c));
}

/// The seconds that a rank waits in all repetitions, by the recurrence of D(k).
fn travelled(work: Amounts<'_>, up: bool, r: f64, ranks: f64, rank: f64) -> f64 {
    let (size, work) = (ranks as usize, work.iter().collect::<Vec<_>>());
    let (mut waits, mut done) = (vec![0.0; size], vec![0.0; size]);
    for _ in 0..r as usize {
        let sent: Vec<f64> = (0..size).map(|rank| done[rank] + work[rank]).collect();
        for rank in 0..size {
            let neighbour = (rank + if up { size - 1 } else { 1 }) % size;
            done[rank] = sent[rank].max(sent[neighbour]);
            waits[rank] += done[rank] - sent[rank];
        }
    }
    waits[rank as usize]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::WaitState;
    use crate::testing::{assert_close, simulate};

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
