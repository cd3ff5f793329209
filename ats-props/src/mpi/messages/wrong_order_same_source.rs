//! A late sender that is due to receiving the messages of one rank in the wrong order.

use ats_mpi::{Communicator, Source, Tag};
use ats_props::{Balance, Distribution, Seconds, do_work, property};

use crate::family::between::Between;
use crate::family::pairs::Part;

/// A rank waits for the message that its partner sends last, while others from there lie ready.
///
/// Even ranks work `work` before each of some messages with tags 1, 2 … to the odd rank above them; odd ranks receive the
/// last tag first. With an odd number of ranks the last one only works.
///
/// ```text
/// even  ├─ work ─┬ MPI_Send 1 ┬─ work ─┬ MPI_Send 2 ┤
/// odd   ├─ MPI_Recv 2 ·················┬ MPI_Recv 1 ┤
///       └─ waits ──────────────────────┘
/// ```
///
/// Every repetition starts even. No other wait state shows; a single message is late, but not in the wrong order.
/// Needs eager sends, which is probed at run time: otherwise no rank gets on.
#[property(
    finds = LateSenderWrongOrderSameSource,
    formula = if messages > 1 { floor(P / 2) * r * messages * work },
    at = "MPI_Recv",
    each = if odd(i) && messages > 1 { r * messages * work },
    cause = WrongOrder,
    part = floor(P / 2) * r * work,
    cause = UnevenWork,
    also = LateSender,
    at = "MPI_Recv",
    each = if odd(i) && messages == 1 { r * work },
    min_ranks = 2,
    send_mode = Standard
)]
pub fn wrong_order_same_source(
    /// Work of the senders before each message.
    #[default(Seconds(0.01))]
    work: Seconds,
    /// Messages in a repetition.
    #[default(4)]
    messages: usize,
    /// Number of repetitions.
    #[default(10)]
    r: usize,
    c: &dyn Communicator,
    balance: Balance,
) {
    let (before, all) = (Distribution::same(0.0), messages as f64 * work.0);
    let work = Between { before, between: Distribution::cyclic2(all, 0.0), r };
    let buf = c.base_buf();
    let last = u32::try_from(messages).unwrap_or(u32::MAX);
    let send_all = move |work| match Part::new(c) {
        Part::Sender(to) => {
            for tag in 1..=last {
                do_work(work / f64::from(last));
                c.send(to, tag, &buf);
            }
        }
        Part::Receiver(from) => {
            for tag in (1..=last).rev() {
                c.recv(Source::Rank(from), Tag::Is(tag), &buf);
            }
        }
        Part::Alone => do_work(work),
    };
    work.run(balance, c, send_all);
}
