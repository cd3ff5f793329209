//! A receive in partitions that waits for the last partition of its message to be ready.

use ats_mpi::{BaseComm, How};
use ats_props::{Communicator, Distribution, Seconds, property};
use ats_work::do_work;

use crate::family::pairs::{Part, TAG};

/// Receivers wait for messages in partitions, of which the last is ready late.
///
/// Even ranks prepare a send of `k` partitions to the odd rank above them, odd ranks the receive. In each repetition even
/// ranks start the send, work for each partition its share of `distribution` and then say that it is ready; odd ranks
/// work `basework` and start to receive. Then both wait for the message. With an odd number of ranks the last one only
/// works.
///
/// ```text
/// even  ├┬─ w 0 ─┬─ w 1 ─┬── w 2 ──┬┬ MPI_Wait ┤
///        MPI_Start    MPI_Pready 0, 1, 2
/// odd   ├─ base ─┬─────── MPI_Wait ·┤
///            MPI_Start └─── waits ──┘
/// ```
///
/// The message counts as sent when its last partition is ready: by the last `MPI_Pready`, neither by `MPI_Start` nor by an
/// earlier partition. No other wait state shows, unless a library lets a sender wait for a receiver that comes later than
/// all partitions. Each partition has as many elements as a message of other properties. A library before MPI 4 lacks the
/// functions, so it cannot show the property.
#[property(
    finds = LateSender,
    formula = "W = floor(P/2)·r·max(0, Σ wₜ − basework), over the partitions t",
    cause = UnevenWork,
    min_ranks = 2,
    mpi_version = 4
)]
pub fn partitioned_late_ready(
    /// Work of a sender before each partition is ready.
    #[default(Distribution::linear(0.005, 0.025))]
    distribution: Distribution,
    /// Number of partitions of a message; at least one.
    #[default(3)]
    k: usize,
    /// Work of a receiver in a repetition.
    #[default(Seconds(0.01))]
    basework: Seconds,
    /// Number of repetitions.
    #[default(10)]
    r: usize,
    c: &dyn Communicator,
) {
    send_in_partitions(&shares(&distribution, k), &[basework.0], r, c);
}

/// Senders and receivers share all work evenly, and so do the partitions.
pub fn balanced(distribution: Distribution, k: usize, basework: Seconds, r: usize, c: &dyn Communicator) {
    let shares = shares(&distribution, k);
    let all: f64 = shares.iter().sum();
    let each = match Part::of(c) {
        Part::Alone => all,
        Part::Sender(_) | Part::Receiver(_) => (all + basework.0) / 2.0,
    };
    // Receivers work in as many parts, so that all come at the same tick.
    let parts = vec![each / shares.len() as f64; shares.len()];
    send_in_partitions(&parts, &parts, r, c);
}

/// The work before each partition.
fn shares(distribution: &Distribution, k: usize) -> Vec<f64> {
    distribution.values(k.max(1), 1.0).collect()
}

/// A sender works for its shares, and a receiver for its own before it starts to receive; in seconds.
fn send_in_partitions(shares: &[f64], of_receiver: &[f64], r: usize, c: &dyn Communicator) {
    let (part, BaseComm { datatype, count }) = (Part::of(c), c.base_comm());
    let buf = c.alloc_mpi_buf(datatype, count * shares.len());
    let mut request = match part {
        Part::Sender(to) => vec![c.psend_init(shares.len(), to, TAG, &buf)],
        Part::Receiver(from) => vec![c.precv_init(shares.len(), from, TAG, &buf)],
        Part::Alone => Vec::new(),
    };
    for _ in 0..r {
        match part {
            Part::Sender(_) => {
                c.restart(&request[0]);
                for (partition, &share) in shares.iter().enumerate() {
                    do_work(share);
                    c.pready(&request[0], partition);
                }
            }
            Part::Receiver(_) => {
                of_receiver.iter().copied().for_each(do_work);
                c.restart(&request[0]);
            }
            Part::Alone => shares.iter().copied().for_each(do_work),
        }
        if !request.is_empty() {
            c.complete(How::Wait, &mut request);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{DISTRIBUTIONS, RANKS, assert_silent, assert_waits};

    #[test]
    fn receivers_wait_for_the_last_partition_and_their_twins_do_not() {
        let path = ["partitioned_late_ready", "MPI_Wait"];
        for (text, ranks) in DISTRIBUTIONS.into_iter().zip(RANKS.into_iter().cycle()) {
            let distribution: Distribution = text.parse().unwrap();
            for (r, k) in (1..=7).zip([1, 2, 3, 4, 5, 8, 33]) {
                // Not late, late by the rest of the partitions, and late by all of them.
                for basework in [0.15, 0.015, 0.0] {
                    let late = f64::max(0.0, shares(&distribution, k).iter().sum::<f64>() - basework);
                    let waits = |rank: usize| if rank % 2 == 1 { r as f64 * late } else { 0.0 };
                    let [r, k, basework] = [r.to_string(), k.to_string(), basework.to_string()];
                    let given = [("distribution", text), ("k", &k), ("basework", &basework), ("r", &r)];
                    assert_waits(&PROPERTY, ranks, &given, &path, waits);
                    assert_silent(&PROPERTY, ranks, &given);
                }
            }
        }
    }

    #[test]
    fn the_order_of_the_work_does_not_matter() {
        for text in ["linear:0.01:0.05", "linear:0.05:0.01"] {
            let waits = |rank: usize| if rank % 2 == 1 { 2.0 * (0.09 - 0.01) } else { 0.0 };
            let given = [("distribution", text), ("r", "2")];
            assert_waits(&PROPERTY, 4, &given, &["partitioned_late_ready", "MPI_Wait"], waits);
        }
    }

    #[test]
    fn there_is_always_a_partition() {
        assert_eq!(shares(&Distribution::same(0.02), 0), [0.02]);
    }
}
