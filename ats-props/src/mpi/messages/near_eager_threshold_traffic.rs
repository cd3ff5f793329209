//! Messages of about the eager limit.

use ats_mpi::{Communicator, Datatype, Source, Tag};
use ats_props::{Balance, Bytes, Counter, Distribution, MpiFunction, Seconds, property};

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
    formula = if bytes > eager_limit { floor(P / 2) * r * extrawork },
    at = "MPI_Send",
    each = if bytes > eager_limit && even(i) && i + 1 < P { r * extrawork },
    cause = LateReceiver,
    finds = Count(Counter::BYTES_SENT, MpiFunction::Send.name()),
    formula = floor(P / 2) * r * bytes,
    twin = floor(P / 2) * r * min(bytes, eager_limit),
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
    balance: Balance,
) {
    // The twin sends as much as is eager, at most.
    let bytes = balance.pick(bytes.on(c), bytes.on(c).min(c.eager_limit()));
    let buf = c.alloc_mpi_buf(Datatype::Byte, bytes);
    let work = Distribution::cyclic2(basework.0, basework.0 + extrawork.0);
    Uneven { work, r }.run(Balance::Uneven, c, || match Part::new(c) {
        Part::Sender(to) => c.send(to, TAG, &buf),
        Part::Receiver(from) => {
            c.recv(Source::Rank(from), Tag::Is(TAG), &buf);
        }
        Part::Alone => {}
    });
}
