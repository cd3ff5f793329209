//! A synchronous send whose receive is posted, and waits for the receiver's next call.

use ats_mpi::{MpiBuf, Op, Source, Tag};
use ats_props::{Balance, Communicator, Distribution, Seconds, property};
use ats_work::do_work;

use crate::family::between::Between;
use crate::family::pairs::{Part, TAG};
use crate::family::started::overlapped;

/// Senders wait for receivers that have posted the receive, since those work on and make no call.
///
/// Odd ranks start to receive from the even rank below them, work `work` and wait for the message; even ranks work `basework`
/// and send synchronously. With an odd number of ranks the last one only works, and ends
/// `r`·(`work` − `basework`) before the others.
///
/// ```text
/// even  ├─ base ─┬─ MPI_Ssend ···┬────────────┤
/// odd   ├─ work ─────────────────┬─ MPI_Wait ─┤
///   MPI_Irecv    └──── waits ────┘
/// ```
///
/// A synchronous send is over when its receiver has answered. A library that answers only inside of calls does so in
/// `MPI_Wait`; one that makes progress by itself does not show it. In virtual time progress is made in calls here, unless
/// `--network progress=always` is given. The receiver is not late: it has posted its receive. With more basework than
/// work receivers wait for late senders instead. Of three ranks, one works longer than most: then it does not matter when
/// its messages move.
#[property(
    finds = LateProgress,
    formula = if basework > 0 { floor(P / 2) * r * max(0, work - basework) },
    at = "MPI_Ssend",
    each = if even(i) && i + 1 < P && basework > 0 { r * max(0, work - basework) },
    cause = if P == 3 { UnevenWork } else { LateProgress },
    also = LateSender,
    at = "MPI_Wait",
    each = if odd(i) { r * max(0, basework - work) },
    also = LateReceiver,
    at = "MPI_Ssend",
    each = if even(i) && i + 1 < P && basework == 0 { (r - 1) * work },
    min_ranks = 2,
    send_mode = Synchronous,
    progress = Calls
)]
pub fn synchronous_send_without_progress(
    /// Work of the senders in a repetition.
    #[default(Seconds(0.01))]
    basework: Seconds,
    /// Work of the receivers in a repetition, after they have started to receive.
    #[default(Seconds(0.06))]
    work: Seconds,
    /// Number of repetitions.
    #[default(10)]
    r: usize,
    c: &dyn Communicator,
    balance: Balance,
) {
    // Senders work before they send, receivers while they receive.
    let work = Between {
        before: Distribution::cyclic2(basework.0, 0.0),
        between: Distribution::cyclic2(0.0, work.0),
        r,
    };
    let (part, buf) = (Part::new(c), c.base_buf());
    let messages = move |work| match part {
        Part::Sender(to) => {
            do_work(work);
            c.ssend(to, TAG, &buf);
        }
        Part::Receiver(from) => overlapped(receive(from, &buf), work, c),
        Part::Alone => do_work(work),
    };
    work.run(balance, c, messages);
}

fn receive(from: usize, buf: &MpiBuf) -> Op {
    Op::Recv { from: Source::Rank(from), tag: Tag::Is(TAG), buf: buf.clone() }
}
