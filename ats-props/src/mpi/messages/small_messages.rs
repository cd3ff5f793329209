//! Many small messages.

use ats_mpi::{Communicator, Source, Tag};
use ats_props::{Balance, Counter, MpiFunction, Seconds, do_work, property};

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
    formula = (P - 1) * r * k,
    twin = (P - 1) * r * min(k, 1),
    finds = Count(Counter::MESSAGES_RECEIVED, MpiFunction::Recv.name()),
    formula = (P - 1) * r * k,
    twin = (P - 1) * r * min(k, 1),
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
    balance: Balance,
) {
    // In the twin all elements are in one message.
    let (messages, elements) = balance.pick((k, 1), (k.min(1), k));
    let buf = c.alloc_mpi_buf(c.base_comm().datatype, elements);
    for _ in 0..r {
        do_work(work.0);
        if c.rank() > 0 {
            (0..messages).for_each(|_| c.send(0, IN, &buf));
            continue;
        }
        for client in 1..c.size() {
            for _ in 0..messages {
                c.recv(Source::Rank(client), Tag::Is(IN), &buf);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::simulate;

    #[test]
    fn the_twin_sends_as_many_bytes() {
        let bytes = [false, true]
            .map(|balanced| simulate(&PROPERTY, (5, 1), &[], balanced).counts["MPI_Send"].moved.bytes_sent);
        assert_eq!(bytes, [4 * 10 * 20 * 4; 2]);
    }
}
