//! A receive in partitions that waits for the last partition of its message to be ready.

use ats_mpi::{BaseComm, How};
use ats_props::{Balance, Communicator, Distribution, Seconds, property};
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
    at = "MPI_Wait",
    each = {
        let partitions = max(1, k);
        let w = over(distribution, partitions);
        if odd(i) { r * max(0, sum(0..partitions, |p| w[p]) - basework) }
    },
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
    balance: Balance,
) {
    let shares = shares(&distribution, k);
    if balance == Balance::Uneven {
        return send_in_partitions(&shares, &[basework.0], r, c);
    }
    // Senders and receivers share all work evenly, and so do the partitions.
    let all: f64 = shares.iter().sum();
    let each = match Part::new(c) {
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
    let (part, BaseComm { datatype, count }) = (Part::new(c), c.base_comm());
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
