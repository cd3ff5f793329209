//! A receive that is tested again and again until its message is there.

use ats_mpi::{How, Source, Tag};
use ats_props::{Balance, Communicator, Distribution, Seconds, property};

use crate::family::pairs::{Part, TAG};
use crate::family::uneven::Uneven;

/// Receivers test for the message of a sender that has more to do.
///
/// Even ranks work `basework` + `extrawork` and send synchronously to the odd rank above them; odd ranks work `basework`,
/// start to receive, and call `MPI_Test` until the message is there. With an odd number of ranks the last one only works.
///
/// ```text
/// even  ├─ base ─┬─ extra ──┬─ MPI_Ssend ─┤
/// odd   ├─ base ─┼ Test Test ··· Test ────┤
///       MPI_Irecv└─ waits ──┘
/// ```
///
/// The wait is spread over all tests, and the number of tests depends on their speed. It begins with the first of them. A
/// tool that knows waits in receives alone finds none. Every repetition starts even, to one test, and no other wait state
/// shows.
#[property(
    finds = LateSenderInTest,
    formula = floor(P / 2) * r * extrawork,
    at = "MPI_Test",
    each = if odd(i) { r * extrawork },
    cause = Polling,
    min_ranks = 2,
    send_mode = Synchronous
)]
pub fn late_sender_test_polling(
    /// Work of every rank in a repetition.
    #[default(Seconds(0.01))]
    basework: Seconds,
    /// Extra work of the senders: their delay.
    #[default(Seconds(0.02))]
    extrawork: Seconds,
    /// Number of repetitions.
    #[default(10)]
    r: usize,
    c: &dyn Communicator,
    balance: Balance,
) {
    // Even ranks send, and have more to do.
    let work = Uneven { work: Distribution::cyclic2(basework.0 + extrawork.0, basework.0), r };
    let (part, buf) = (Part::new(c), c.base_buf());
    let messages = move || match part {
        Part::Sender(to) => c.ssend(to, TAG, &buf),
        Part::Receiver(from) => {
            let mut open = vec![c.irecv(Source::Rank(from), Tag::Is(TAG), &buf)];
            while !open.is_empty() {
                c.complete(How::Test, &mut open);
            }
        }
        Part::Alone => {}
    };
    work.run(balance, c, messages);
}
