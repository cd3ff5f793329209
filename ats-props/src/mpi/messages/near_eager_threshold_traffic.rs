//! Messages of about the eager limit.

use ats_mpi::{Communicator, Datatype, Source, Tag};
use ats_props::{Bytes, Counter, Distribution, MpiFunction, Seconds, property};

use crate::family::pairs::{Part, TAG};
use crate::family::uneven::Uneven;

/// Senders wait because their messages are a byte too large to be sent eagerly.
///
/// Even ranks work `basework` and send `bytes` to the odd rank above them; odd ranks work `basework` + `extrawork` before they
/// receive. With an odd number of ranks the last one only works, and ends `r`·`extrawork` before the others. The twin does
/// the same with as many bytes as are eager, so that no sender waits: senders end `r`·`extrawork` before their receivers.
///
/// ```text
/// even  ├─ base ─┬─ MPI_Send ···········┤   twin  ├─ base ─┬ MPI_Send ┬─ base ─┬ MPI_Send ┤
/// odd   ├─ base ─┼─ extra ─┬─ MPI_Recv ─┤         ├─ base ─┬─ extra ─┬─ MPI_Recv ─┬─ base …
///                └─ waits ─┘
/// ```
///
/// The limit is the model's in virtual time, and the library's as the ranks of a real run probe it before they are
/// measured: the largest message whose send returns while its receiver works. It depends on the library, and on what connects
/// its processes, and may be below what the library calls eager: Open MPI needs the receiver's help within a node from 257
/// bytes on. As counted, the messages of both differ by a byte each.
#[property(
    finds = LateReceiver,
    formula = "W = floor(P/2)·r·extrawork for more bytes than the eager limit, else 0",
    cause = EagerLimit,
    cause = LateReceiver,
    finds = Count(Counter::BYTES_SENT, MpiFunction::Send.name()),
    formula = "N = floor(P/2)·r·bytes",
    min_ranks = 2
)]
pub fn near_eager_threshold_traffic(
    /// Work of every rank in a repetition.
    #[default(Seconds(0.01))]
    basework: Seconds,
    /// Extra work of the receivers: their delay.
    #[default(Seconds(0.05))]
    extrawork: Seconds,
    /// Size of a message.
    #[default(Bytes::Limit { above: 1 })]
    bytes: Bytes,
    /// Number of repetitions.
    #[default(10)]
    r: usize,
    c: &dyn Communicator,
) {
    send(basework, extrawork, bytes.on(c), r, c);
}

/// As much as is eager, at most.
pub fn balanced(basework: Seconds, extrawork: Seconds, bytes: Bytes, r: usize, c: &dyn Communicator) {
    send(basework, extrawork, bytes.on(c).min(c.eager_limit()), r, c);
}

fn send(basework: Seconds, extrawork: Seconds, bytes: usize, r: usize, c: &dyn Communicator) {
    let buf = c.alloc_mpi_buf(Datatype::Byte, bytes);
    let work = Distribution::cyclic2(basework.0, basework.0 + extrawork.0);
    Uneven { work, r }.run(c, || match Part::of(c) {
        Part::Sender(to) => c.send(to, TAG, &buf),
        Part::Receiver(from) => {
            c.recv(Source::Rank(from), Tag::Is(TAG), &buf);
        }
        Part::Alone => {}
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{RANKS, assert_close, assert_quiet, assert_waits, simulate};

    /// Of the engine's default network.
    const LIMIT: u64 = 4096;

    #[test]
    fn a_byte_decides_whether_senders_wait() {
        let sizes =
            [("limit", LIMIT), ("limit+1", LIMIT + 1), ("4096", LIMIT), ("4097", LIMIT + 1), ("0", 0)];
        for (ranks, (text, bytes)) in RANKS.into_iter().flat_map(|ranks| sizes.map(|size| (ranks, size))) {
            let given = [("bytes", text), ("r", "5")];
            let is_sender = |rank: usize| rank.is_multiple_of(2) && rank + 1 < ranks;
            let is_held = |rank| bytes > LIMIT && is_sender(rank);
            let waits = |rank| if is_held(rank) { 5.0 * 0.05 } else { 0.0 };
            assert_waits(&PROPERTY, ranks, &given, &["near_eager_threshold_traffic", "MPI_Send"], waits);
            let [outcome, twin] = assert_quiet(&PROPERTY, (ranks, 1), &given);
            for (outcome, bytes) in [(outcome, bytes), (twin, bytes.min(LIMIT))] {
                let sent = outcome.counts.get("MPI_Send").copied().unwrap_or_default().moved;
                let messages = 5 * (ranks as u64 / 2);
                assert_eq!((sent.messages_sent, sent.bytes_sent), (messages, messages * bytes));
            }
            for (rank, end) in simulate(&PROPERTY, (ranks, 1), &given, false).ends.into_iter().enumerate() {
                let is_late = !rank.is_multiple_of(2) || is_held(rank);
                assert_close(end, 5.0 * if is_late { 0.06 } else { 0.01 });
            }
        }
    }
}
