//! Messages of uneven sizes.

use ats_mpi::{Communicator, MpiBuf, Source, Tag};
use ats_props::{Counter, Distribution, MpiFunction, Seconds, do_work, property};

use crate::family::sizes::{evenly, whole};

/// Ranks send messages of different sizes to their neighbours.
///
/// In each repetition every rank works `work`, and sends as many elements as `elements` says to the rank above, the
/// last one to the first. The twin shares the same elements evenly.
///
/// ```text
/// few   ├─ work ─┬ MPI_Irecv ┬ MPI_Send ┬ MPI_Wait ┤
/// many  ├─ work ─┬ MPI_Irecv ┬ MPI_Send ┬ MPI_Wait ┤
/// ```
///
/// No rank is late, so no wait state shows: the finding is the number of bytes moved. A document has their sum over
/// all ranks, which is the twin's, too; `ats trace` writes the amount that each rank sends. Amounts of `elements` are
/// not seconds here, and the nearest whole number counts.
#[property(
    finds = Count(Counter::BYTES_SENT, MpiFunction::Send.name()),
    formula = "N = r·Σ elementsᵢ·(bytes of an element)",
    finds = Count(Counter::BYTES_RECEIVED, MpiFunction::Wait.name()),
    formula = "N = r·Σ elementsᵢ·(bytes of an element)",
    finds = Count(Counter::MESSAGES_SENT, MpiFunction::Send.name()),
    formula = "N = r·P",
    min_ranks = 2
)]
pub fn uneven_message_distribution(
    /// Work of every rank in a repetition.
    #[default(Seconds(0.01))]
    work: Seconds,
    /// Number of elements that each rank sends.
    #[default(Distribution::linear(16.0, 512.0))]
    elements: Distribution,
    /// Number of repetitions.
    #[default(10)]
    r: usize,
    c: &dyn Communicator,
) {
    send_around(work, &whole(elements), r, c);
}

/// Every rank sends the same number, or one more.
pub fn balanced(work: Seconds, elements: Distribution, r: usize, c: &dyn Communicator) {
    send_around(work, &evenly(&elements, c.size()), r, c);
}

const TAG: u32 = 1;

fn send_around(work: Seconds, sizes: &Distribution, r: usize, c: &dyn Communicator) {
    let (me, size) = (c.rank(), c.size());
    let (above, below) = ((me + 1) % size, (me + size - 1) % size);
    let [send, receive] = [me, below].map(|rank| buf(sizes, rank, c));
    for _ in 0..r {
        do_work(work.0);
        let request = c.irecv(Source::Rank(below), Tag::Is(TAG), &receive);
        c.send(above, TAG, &send);
        c.wait(request);
    }
}

fn buf(sizes: &Distribution, rank: usize, c: &dyn Communicator) -> MpiBuf {
    c.alloc_mpi_buf(c.base_comm().datatype, sizes.value(rank, c.size(), 1.0) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{RANKS, assert_quiet, assert_shows};

    #[test]
    fn the_same_bytes_go_evenly_and_unevenly() {
        for text in ["linear:16:5000", "cyclic2:0:3", "peak:10:2000.4:2", "block3:1:2.5:7"] {
            let distribution: Distribution = text.parse().unwrap();
            for ranks in RANKS {
                let given = [("elements", text), ("r", "5")];
                assert_shows(&PROPERTY, (ranks, 1), &given, &[]);
                let elements: u64 = distribution.values(ranks, 1.0).map(|value| value.round() as u64).sum();
                for outcome in assert_quiet(&PROPERTY, (ranks, 1), &given) {
                    let (sent, received) =
                        (outcome.counts["MPI_Send"].moved, outcome.counts["MPI_Wait"].moved);
                    assert_eq!(
                        (sent.messages_sent, sent.bytes_sent),
                        (5 * ranks as u64, 5 * 4 * elements),
                        "{text}"
                    );
                    assert_eq!(received.messages_received, sent.messages_sent);
                    assert_eq!(received.bytes_received, sent.bytes_sent);
                }
            }
        }
    }
}
