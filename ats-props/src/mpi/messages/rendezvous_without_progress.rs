//! A send in progress whose data waits for the sender's next call.

use ats_mpi::{Datatype, MpiBuf, Op, SendMode, Source, Tag};
use ats_props::{Balance, Bytes, Communicator, Distribution, Seconds, property};
use ats_work::do_work;

use crate::family::between::Between;
use crate::family::pairs::{Part, TAG};
use crate::family::started::overlapped;

/// Receivers wait for data that their senders have started to send, since those work on and make no call.
///
/// Even ranks start to send `bytes` to the odd rank above them, work `work` and wait for the send; odd ranks receive at once.
/// With an odd number of ranks the last one only works.
///
/// ```text
/// even  ├─ work ─────────────┬─ MPI_Wait ┤
/// odd   ├─ MPI_Recv ·········┬───────────┤
///   MPI_Isend    └── waits ──┘
/// ```
///
/// A message larger than the eager limit is announced first; its data follows once the receiver has answered. A library that
/// acts on the answer only inside of calls does so in `MPI_Wait`. One that makes progress by itself, or whose receiver copies
/// the data out of the sender's memory, does not show it. In virtual time progress is made in calls here, unless `--network
/// progress=always` is given. No other wait state shows: the send is early. If the message is eager, or there is
/// progress, receivers wait for late senders instead from the second repetition on.
#[property(
    finds = LateProgress,
    formula = if bytes > eager_limit { floor(P / 2) * r * work },
    at = "MPI_Recv",
    each = if odd(i) && bytes > eager_limit { r * work },
    cause = LateProgress,
    also = LateSender,
    at = "MPI_Recv",
    each = if odd(i) && bytes <= eager_limit { (r - 1) * work },
    min_ranks = 2,
    progress = Calls
)]
pub fn rendezvous_without_progress(
    /// Work of the senders in a repetition, after they have started to send.
    #[default(Seconds(0.05))]
    work: Seconds,
    /// Size of a message: more than is sent eagerly.
    #[default(Bytes::Exactly(1 << 20))]
    bytes: Bytes,
    /// Number of repetitions.
    #[default(10)]
    r: usize,
    c: &dyn Communicator,
    balance: Balance,
) {
    // Senders work while they send.
    let work = Between { before: Distribution::same(0.0), between: Distribution::cyclic2(work.0, 0.0), r };
    let (part, buf) = (Part::new(c), c.alloc_mpi_buf(Datatype::Byte, bytes.on(c)));
    let messages = move |work| match part {
        Part::Sender(to) => overlapped(standard(to, &buf), work, c),
        Part::Receiver(from) => {
            c.recv(Source::Rank(from), Tag::Is(TAG), &buf);
        }
        Part::Alone => do_work(work),
    };
    work.run(balance, c, messages);
}

fn standard(to: usize, buf: &MpiBuf) -> Op {
    Op::Send { mode: SendMode::Standard, to, tag: TAG, buf: buf.clone() }
}
