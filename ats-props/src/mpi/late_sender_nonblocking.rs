//! A non-blocking receive that is waited for before its message is sent.

use ats_mpi::{Communicator, Op, SendMode, Source, Tag};
use ats_props::{Distribution, Seconds, property};

use crate::family::between::Between;
use crate::family::pairs::{Part, TAG, overlapped};

/// Receivers have started to receive and work on, but not for so long as their senders are late.
///
/// Even ranks work `basework` + `extrawork` and send synchronously to the odd rank above them; odd ranks work `basework`,
/// start to receive, work `overlap` and wait. With an odd number of ranks the last one only works.
///
/// ```text
/// even  ├─ base ─┬─ extra ─────────────┬─ MPI_Ssend ─┤
/// odd   ├─ base ─┼─ overlap ┬─ MPI_Wait ············┤
///             MPI_Irecv       └─ waits ─┘
/// ```
///
/// The wait begins in `MPI_Wait`, not at `MPI_Irecv`. Every repetition starts even, and no other wait state shows. With
/// more overlap than extra work nobody waits for a sender; the receivers fall behind then, and senders wait for them
/// from the second repetition on, floor(P/2)·max(0, (r−1)·overlap − r·extrawork) in total. Without asynchronous progress
/// a library may hold the synchronous send until the receiver enters `MPI_Wait`.
#[property(
    finds = LateSender,
    formula = "W = floor(P/2)·r·max(0, extrawork − overlap)",
    min_ranks = 2,
    send_mode = Synchronous
)]
pub fn late_sender_nonblocking(
    /// Work of every rank in a repetition.
    #[default(Seconds(0.01))]
    basework: Seconds,
    /// What the senders work longer: how late they are.
    #[default(Seconds(0.05))]
    extrawork: Seconds,
    /// What the receivers work between `MPI_Irecv` and `MPI_Wait`.
    #[default(Seconds(0.01))]
    overlap: Seconds,
    /// Send with `MPI_Issend` and `MPI_Wait`, not with `MPI_Ssend`.
    #[default(false)]
    use_isend: bool,
    /// Repetitions.
    #[default(10)]
    r: usize,
    c: &dyn Communicator,
) {
    work(basework, extrawork, overlap, r).run(c, message(use_isend, c));
}

/// Everybody has the mean, and has it done before the message.
pub fn balanced(
    basework: Seconds,
    extrawork: Seconds,
    overlap: Seconds,
    use_isend: bool,
    r: usize,
    c: &dyn Communicator,
) {
    work(basework, extrawork, overlap, r).balanced(c, message(use_isend, c));
}

fn work(basework: Seconds, extrawork: Seconds, overlap: Seconds, r: usize) -> Between {
    Between {
        before: Distribution::cyclic2(basework.0 + extrawork.0, basework.0),
        between: Distribution::cyclic2(0.0, overlap.0),
        r,
    }
}

fn message(use_isend: bool, c: &dyn Communicator) -> impl Fn(f64) {
    let buf = c.base_buf();
    move |overlap| match Part::of(c) {
        Part::Sender(to) => {
            let send = Op::Send { mode: SendMode::Synchronous, to, tag: TAG, buf: buf.clone() };
            if use_isend {
                overlapped(send, overlap, c);
            } else {
                c.call(send);
            }
        }
        Part::Receiver(from) => {
            let recv = Op::Recv { from: Source::Rank(from), tag: Tag::Is(TAG), buf: buf.clone() };
            overlapped(recv, overlap, c);
        }
        Part::Alone => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::WaitState;
    use crate::testing::{Shows, assert_shows, assert_silent, simulate};

    #[test]
    fn receivers_wait_for_what_they_do_not_overlap() {
        for ranks in 1..=33 {
            let waits = |rank: usize, _: usize| if rank % 2 == 1 { 5.0 * (0.05 - 0.02) } else { 0.0 };
            for use_isend in ["false", "true"] {
                let given = [("overlap", "20ms"), ("use_isend", use_isend), ("r", "5")];
                let shows = Shows {
                    state: Some(WaitState::LateSender),
                    call_path: &["late_sender_nonblocking", "MPI_Wait"],
                    seconds: &waits,
                };
                assert_shows(&PROPERTY, (ranks, 1), &given, &[shows]);
                assert_silent(&PROPERTY, ranks, &given);
            }
        }
    }

    #[test]
    fn senders_wait_for_receivers_that_overlap_more() {
        for ranks in 1..=33 {
            let late = 4.0 * 0.08 - 5.0 * 0.05;
            let waits =
                |rank: usize, _: usize| if rank.is_multiple_of(2) && rank + 1 < ranks { late } else { 0.0 };
            for (use_isend, call) in [("false", "MPI_Ssend"), ("true", "MPI_Wait")] {
                let given = [("overlap", "80ms"), ("use_isend", use_isend), ("r", "5")];
                let shows = Shows {
                    state: Some(WaitState::LateReceiver),
                    call_path: &["late_sender_nonblocking", call],
                    seconds: &waits,
                };
                assert_shows(&PROPERTY, (ranks, 1), &given, &[shows]);
                assert_silent(&PROPERTY, ranks, &given);
            }
        }
        let given = [("overlap", "51ms"), ("r", "5")];
        let outcome = simulate(&PROPERTY, (4, 1), &given, false);
        assert!(outcome.waits.is_empty(), "too little to show: {:?}", outcome.waits);
    }
}
