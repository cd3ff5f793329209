//! A receive that is posted late, for a message that is on its way already.

use ats_mpi::{Communicator, Source, Tag};
use ats_props::{Balance, Distribution, Seconds, property};

use crate::family::pairs::{Part, TAG};
use crate::family::uneven::Uneven;

/// Receivers have more to do than their senders, but no rank waits, since messages are eager.
///
/// As `late_receiver`, but for the mode: even ranks work `basework` and send to the odd rank above them; odd ranks work
/// `basework` + `extrawork` before they receive. With an odd number of ranks the last one only works.
///
/// ```text
/// even  ├─ base ─┬ MPI_Send ┬─ base ─┬ MPI_Send ┤
/// odd   ├─ base ─┬─ extra ─────┬ MPI_Recv ┬─ base ─┬─ extra …
/// ```
///
/// A tool that takes receives posted later than their sends for late receivers is wrong. Even ranks are left
/// `r`·`extrawork` ahead, and wait that long when they have to wait for all. Eager sends are probed at run time.
#[property(tempts = LateReceiver, min_ranks = 2, send_mode = Standard)]
pub fn late_receiver_eager(
    /// Work of every rank in a repetition.
    #[default(Seconds(0.01))]
    basework: Seconds,
    /// Extra work of the receivers: their delay.
    #[default(Seconds(0.05))]
    extrawork: Seconds,
    /// Number of repetitions.
    #[default(10)]
    r: usize,
    c: &dyn Communicator,
) {
    let buf = c.base_buf();
    let work = Distribution::cyclic2(basework.0, basework.0 + extrawork.0);
    Uneven { work, r }.run(Balance::Uneven, c, || match Part::new(c) {
        Part::Sender(to) => c.send(to, TAG, &buf),
        Part::Receiver(from) => {
            c.recv(Source::Rank(from), Tag::Is(TAG), &buf);
        }
        Part::Alone => {}
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::assert_nobody_waits;

    #[test]
    fn no_rank_waits() {
        assert_nobody_waits(&PROPERTY, &[], |rank, _| if rank % 2 == 0 { 0.01 } else { 0.06 });
    }
}
