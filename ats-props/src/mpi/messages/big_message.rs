//! Big messages.

use ats_mpi::{Communicator, Datatype, MpiBuf, Source, Tag};
use ats_props::{Balance, Bytes, Counter, MpiFunction, Seconds, do_work, property};

use crate::family::pairs::{Part, TAG};

/// Pairs of ranks bounce a big message.
///
/// In each repetition every rank works `work`; then an even rank sends `bytes` to the odd rank above it, which sends
/// as much back. With an odd number of ranks the last one only works. The twin moves the same bytes in 64 messages
/// each way.
///
/// ```text
/// even  ├─ work ─┬─ MPI_Send ─┬─ MPI_Recv ─┤
/// odd   ├─ work ─┼─ MPI_Recv ─┼─ MPI_Send ─┤
/// ```
///
/// No rank is late, so no wait state shows: the finding is the number of bytes moved, and the small number of
/// messages. Their cost depends on the machine. If the transfer itself takes more than the threshold of a report, a
/// tool rightly reports waiting for it.
#[property(
    finds = Count(Counter::BYTES_SENT, MpiFunction::Send.name()),
    formula = 2 * r * floor(P / 2) * bytes,
    finds = Count(Counter::BYTES_RECEIVED, MpiFunction::Recv.name()),
    formula = 2 * r * floor(P / 2) * bytes,
    finds = Count(Counter::MESSAGES_SENT, MpiFunction::Send.name()),
    formula = if bytes > 0 { 2 * r * floor(P / 2) },
    twin = 2 * r * floor(P / 2) * min(bytes, 64),
    min_ranks = 2
)]
pub fn big_message(
    /// Work of every rank in a repetition.
    #[default(Seconds(0.05))]
    work: Seconds,
    /// Size of the message.
    #[default(Bytes::Exactly(1 << 20))]
    bytes: Bytes,
    /// Number of repetitions.
    #[default(10)]
    r: usize,
    c: &dyn Communicator,
    balance: Balance,
) {
    let pieces = balance.pick(1, PIECES);
    let (each, left) = (bytes.on(c) / pieces, bytes.on(c) % pieces);
    let [larger, smaller] = [each + 1, each].map(|bytes| c.alloc_mpi_buf(Datatype::Byte, bytes));
    let piece = |number: usize| if number < left { larger.clone() } else { smaller.clone() };
    bounce(work, &(0..pieces).map(piece).collect::<Vec<_>>(), r, c);
}

/// The number of messages that the twin sends instead of one.
const PIECES: usize = 64;

fn bounce(work: Seconds, messages: &[MpiBuf], r: usize, c: &dyn Communicator) {
    let send = |to: usize| messages.iter().for_each(|buf| c.send(to, TAG, buf));
    let receive = |from: usize| {
        for buf in messages {
            c.recv(Source::Rank(from), Tag::Is(TAG), buf);
        }
    };
    for _ in 0..r {
        do_work(work.0);
        match Part::new(c) {
            Part::Sender(other) => {
                send(other);
                receive(other);
            }
            Part::Receiver(other) => {
                receive(other);
                send(other);
            }
            Part::Alone => {}
        }
    }
}
