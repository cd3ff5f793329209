//! Many small messages.

use ats_mpi::{Communicator, MpiBuf, Source, Tag};
use ats_props::{Counter, MpiFunction, Seconds, do_work, property};

use crate::family::hub::IN;

/// Clients send one tiny message after the other to a server.
///
/// In each repetition every rank works `work`; then each of the others sends `k` messages of one element to rank 0,
/// which receives them, the lowest rank's first. The twin sends the same elements in one message.
///
/// ```text
/// rank 0  ├─ work ─┬┬┬┬┬┬┬┬┬┬┬┬┤   k times MPI_Recv from each
/// others  ├─ work ─┬┬┬┬┤           k times MPI_Send
/// ```
///
/// No rank is late, so no wait state shows: the finding is the number of messages. On a real machine each has a price
/// all the same, also because many are waiting to be received; if all of them together cost more than the threshold of
/// a report, a tool rightly reports waiting in them.
#[property(
    finds = Count(Counter::MESSAGES_SENT, MpiFunction::Send.name()),
    formula = "N = (P−1)·r·k",
    finds = Count(Counter::MESSAGES_RECEIVED, MpiFunction::Recv.name()),
    formula = "N = (P−1)·r·k",
    min_ranks = 2
)]
pub fn small_messages(
    /// Work of every rank in a repetition.
    #[default(Seconds(0.05))]
    work: Seconds,
    /// Messages of each client in a repetition.
    #[default(20)]
    k: usize,
    /// Number of repetitions.
    #[default(10)]
    r: usize,
    c: &dyn Communicator,
) {
    serve(work, k, &elements(1, c), r, c);
}

/// All elements in one message.
pub fn balanced(work: Seconds, k: usize, r: usize, c: &dyn Communicator) {
    serve(work, k.min(1), &elements(k, c), r, c);
}

fn elements(count: usize, c: &dyn Communicator) -> MpiBuf {
    c.alloc_mpi_buf(c.base_comm().datatype, count)
}

fn serve(work: Seconds, messages: usize, buf: &MpiBuf, r: usize, c: &dyn Communicator) {
    for _ in 0..r {
        do_work(work.0);
        if c.rank() > 0 {
            (0..messages).for_each(|_| c.send(0, IN, buf));
            continue;
        }
        for client in 1..c.size() {
            for _ in 0..messages {
                c.recv(Source::Rank(client), Tag::Is(IN), buf);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{RANKS, assert_quiet, assert_shows};

    #[test]
    fn messages_are_as_many_as_the_closed_form_says_and_nobody_waits() {
        for k in [0, 1, 2, 20] {
            for ranks in RANKS {
                let given = [("k", &*k.to_string()), ("r", "5")];
                assert_shows(&PROPERTY, (ranks, 1), &given, &[]);
                let [many, one] = assert_quiet(&PROPERTY, (ranks, 1), &given);
                let clients = ranks as u64 - 1;
                for (outcome, messages) in [(many, k), (one, k.min(1))] {
                    let count = |call| outcome.counts.get(call).copied().unwrap_or_default();
                    let (sent, received) = (count("MPI_Send").moved, count("MPI_Recv").moved);
                    assert_eq!(
                        (sent.messages_sent, sent.bytes_sent),
                        (clients * 5 * messages, clients * 5 * k * 4)
                    );
                    assert_eq!(received.messages_received, sent.messages_sent);
                    assert_eq!(received.bytes_received, sent.bytes_sent);
                }
            }
        }
    }
}
