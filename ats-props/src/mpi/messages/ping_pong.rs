//! Two ranks that work in turns.

use ats_mpi::{Communicator, Source, Tag};
use ats_props::{Balance, Distribution, Seconds, do_work, property};

use crate::family::between::Between;
use crate::family::pairs::{Part, TAG};

/// Each of two ranks works while the other waits for its message.
///
/// Even ranks work `work`, send to the odd rank above them and receive from it; odd ranks receive, work as long and send. With an
/// odd number of ranks the last one only works, and ends `r`·`work` before the others.
///
/// ```text
/// even  ├─ work ─────┬ MPI_Ssend ┬─ MPI_Recv ·┬─ work ─────┬ MPI_Ssend …
/// odd   ├─ MPI_Recv ·┬─ work ─────────────────┬ MPI_Ssend ┬─ MPI_Recv ·┬ …
///       └─ waits ────┘
/// ```
///
/// All have the same work, so the load is balanced; POP's serialisation efficiency is one half. Every repetition
/// starts even, and no other wait state shows. Without work there are no waits, except for the messages to travel.
#[property(
    finds = LateSender,
    formula = 2 * floor(P / 2) * r * work,
    at = "MPI_Recv",
    each = if odd(i) || i + 1 < P { r * work },
    cause = Turns,
    min_ranks = 2,
    send_mode = Synchronous
)]
pub fn ping_pong(
    /// Work before each message.
    #[default(Seconds(0.02))]
    work: Seconds,
    /// Number of repetitions.
    #[default(10)]
    r: usize,
    c: &dyn Communicator,
    balance: Balance,
) {
    let work = Between { before: Distribution::same(0.0), between: Distribution::same(work.0), r };
    let buf = c.base_buf();
    let messages = move |work| match Part::new(c) {
        Part::Sender(partner) => {
            do_work(work);
            c.ssend(partner, TAG, &buf);
            c.recv(Source::Rank(partner), Tag::Is(TAG), &buf);
        }
        Part::Receiver(partner) => {
            c.recv(Source::Rank(partner), Tag::Is(TAG), &buf);
            do_work(work);
            c.ssend(partner, TAG, &buf);
        }
        Part::Alone => do_work(work),
    };
    work.run(balance, c, messages);
}
