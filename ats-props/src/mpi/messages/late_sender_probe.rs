//! A probe that waits for a message which is sent later.

use ats_mpi::{MpiBuf, Source, Tag};
use ats_props::{Balance, Communicator, Distribution, Seconds, property};

use crate::family::pairs::{Part, TAG};
use crate::family::uneven::Uneven;

/// Receivers probe for the message of a sender that has more to do.
///
/// Even ranks work `basework` + `extrawork` and send synchronously to the odd rank above them; odd ranks work `basework`,
/// wait in a probe, and receive the message that it has found. With an odd number of ranks the last one only works.
///
/// ```text
/// even  ├─ base ─┬─ extra ─┬─ MPI_Ssend ────────┤
/// odd   ├─ base ─┼─ MPI_Probe ······┬─ MPI_Recv ┤
///                └─ waits ─┘
/// ```
///
/// The wait is in the probe; the receive finds its message there. A tool that knows waits in receives alone finds none. Every
/// repetition starts even, and no other wait state shows.
#[property(
    finds = LateSenderInProbe,
    formula = floor(P / 2) * r * extrawork,
    at = "MPI_Probe",
    each = if odd(i) && !matched { r * extrawork },
    at = "MPI_Mprobe",
    each = if odd(i) && matched { r * extrawork },
    cause = UnevenWork,
    min_ranks = 2,
    send_mode = Synchronous
)]
pub fn late_sender_probe(
    /// Work of every rank in a repetition.
    #[default(Seconds(0.01))]
    basework: Seconds,
    /// Extra work of the senders: their delay.
    #[default(Seconds(0.05))]
    extrawork: Seconds,
    /// Receive with `MPI_Mprobe` and `MPI_Mrecv`, not with `MPI_Probe` and `MPI_Recv`.
    #[default(false)]
    matched: bool,
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
        Part::Receiver(from) => receive(matched, Source::Rank(from), &buf, c),
        Part::Alone => {}
    };
    work.run(balance, c, messages);
}

fn receive(matched: bool, from: Source, buf: &MpiBuf, c: &dyn Communicator) {
    let tag = Tag::Is(TAG);
    if matched {
        let message = c.mprobe(from, tag);
        c.mrecv(message, buf);
    } else {
        c.probe(from, tag);
        c.recv(from, tag, buf);
    }
}
