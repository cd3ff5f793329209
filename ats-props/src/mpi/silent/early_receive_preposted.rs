//! A receive that is posted long before its message, and waited for after it.

use ats_mpi::{Communicator, Op, Source, Tag};
use ats_props::{Balance, Distribution, Seconds, property};

use crate::family::between::Between;
use crate::family::pairs::{Part, TAG};
use crate::family::started::overlapped;

/// Messages come after their receives were posted, but no rank waits, since the receivers have more to do.
///
/// Odd ranks start to receive, work `basework` + `extrawork` and wait; even ranks work `basework` and send to the odd rank
/// above them. With an odd number of ranks the last one only works.
///
/// ```text
/// even  ├─ base ─┬ MPI_Send ┬─ base ─┬ MPI_Send ┤
/// odd   ┬─ base ─┬─ extra ─────┬ MPI_Wait ┬─ base ─┬─ extra …
///   MPI_Irecv
/// ```
///
/// A tool that counts a late sender from the start of the receive is wrong: the wait begins in `MPI_Wait`. Even ranks are left
/// `r`·`extrawork` ahead. Eager sends are probed at run time.
#[property(tempts = LateSender, min_ranks = 2, send_mode = Standard)]
pub fn early_receive_preposted(
    /// Work of every rank in a repetition.
    #[default(Seconds(0.05))]
    basework: Seconds,
    /// Extra work of the receivers.
    #[default(Seconds(0.01))]
    extrawork: Seconds,
    /// Number of repetitions.
    #[default(10)]
    r: usize,
    c: &dyn Communicator,
) {
    let buf = c.base_buf();
    let of_senders = Distribution::cyclic2(basework.0, 0.0);
    let of_receivers = Distribution::cyclic2(0.0, basework.0 + extrawork.0);
    Between { before: of_senders, between: of_receivers, r }.run(
        Balance::Uneven,
        c,
        |work| match Part::new(c) {
            Part::Sender(to) => c.send(to, TAG, &buf),
            Part::Receiver(from) => {
                let recv = Op::Recv { from: Source::Rank(from), tag: Tag::Is(TAG), buf: buf.clone() };
                overlapped(recv, work, c);
            }
            Part::Alone => {}
        },
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::assert_nobody_waits;

    #[test]
    fn no_rank_waits() {
        assert_nobody_waits(&PROPERTY, &[], |rank, _| if rank % 2 == 0 { 0.05 } else { 0.06 });
    }
}
