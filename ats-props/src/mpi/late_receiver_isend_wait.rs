//! A non-blocking send that is waited for before its receive is posted.

use ats_mpi::{Communicator, Op, SendMode, Source, Tag};
use ats_props::{Distribution, Seconds, do_work, property};

use crate::family::between::Between;
use crate::family::pairs::{Part, TAG, overlapped};

/// Senders have started to send and work on, but not for so long as their receivers are late.
///
/// Even ranks work `basework`, start to send synchronously to the odd rank above them, work `overlap` and wait; odd ranks
/// work `basework` + `extrawork` and receive. With an odd number of ranks the last one only works, and ends
/// `r`·(`extrawork` − `overlap`) before the others.
///
/// ```text
/// even  ├─ base ─┬─ overlap ┬─ MPI_Wait ···········┤
/// odd   ├─ base ─┼─ extra ─────────────┬─ MPI_Recv ─┤
///           MPI_Issend        └─ waits ─┘
/// ```
///
/// The wait begins in `MPI_Wait`, not at `MPI_Issend`. No other wait state shows. With more overlap than extra work
/// nobody waits for a receiver; the senders fall behind then, and receivers wait for them from the second repetition on,
/// floor(P/2)·max(0, (r−1)·overlap − r·extrawork) in total.
#[property(
    finds = LateReceiver,
    formula = "W = floor(P/2)·r·max(0, extrawork − overlap)",
    min_ranks = 2,
    send_mode = Synchronous
)]
pub fn late_receiver_isend_wait(
    /// Work of every rank in a repetition.
    #[default(Seconds(0.01))]
    basework: Seconds,
    /// What the receivers work longer: how late they are.
    #[default(Seconds(0.05))]
    extrawork: Seconds,
    /// What the senders work between `MPI_Issend` and `MPI_Wait`.
    #[default(Seconds(0.01))]
    overlap: Seconds,
    /// Repetitions.
    #[default(10)]
    r: usize,
    c: &dyn Communicator,
) {
    work(basework, extrawork, overlap, r).run(c, message(c));
}

/// Everybody has the mean, and has it done before the message.
pub fn balanced(basework: Seconds, extrawork: Seconds, overlap: Seconds, r: usize, c: &dyn Communicator) {
    work(basework, extrawork, overlap, r).balanced(c, message(c));
}

fn work(basework: Seconds, extrawork: Seconds, overlap: Seconds, r: usize) -> Between {
    Between {
        before: Distribution::cyclic2(basework.0, basework.0 + extrawork.0),
        between: Distribution::cyclic2(overlap.0, 0.0),
        r,
    }
}

fn message(c: &dyn Communicator) -> impl Fn(f64) {
    let buf = c.base_buf();
    move |overlap| match Part::of(c) {
        Part::Sender(to) => {
            let send = Op::Send { mode: SendMode::Synchronous, to, tag: TAG, buf: buf.clone() };
            overlapped(send, overlap, c);
        }
        Part::Receiver(from) => {
            c.recv(Source::Rank(from), Tag::Is(TAG), &buf);
        }
        Part::Alone => do_work(overlap),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::WaitState;
    use crate::testing::{Shows, assert_shows, assert_silent, simulate};

    #[test]
    fn senders_wait_for_what_they_do_not_overlap() {
        for ranks in 1..=33 {
            let given = [("overlap", "20ms"), ("r", "5")];
            let waits = |rank: usize, _: usize| {
                if rank.is_multiple_of(2) && rank + 1 < ranks { 5.0 * (0.05 - 0.02) } else { 0.0 }
            };
            let shows = Shows {
                state: Some(WaitState::LateReceiver),
                call_path: &["late_receiver_isend_wait", "MPI_Wait"],
                seconds: &waits,
            };
            assert_shows(&PROPERTY, (ranks, 1), &given, &[shows]);
            assert_silent(&PROPERTY, ranks, &given);
            let outcome = simulate(&PROPERTY, (ranks, 1), &given, false);
            assert!((outcome.ends[ranks - 1] - if ranks % 2 == 1 { 0.15 } else { 0.3 }).abs() < 1e-9);
        }
    }

    #[test]
    fn receivers_wait_for_senders_that_overlap_more() {
        for ranks in 1..=33 {
            let given = [("overlap", "80ms"), ("r", "5")];
            let late = 4.0 * 0.08 - 5.0 * 0.05;
            let waits = |rank: usize, _: usize| if rank % 2 == 1 { late } else { 0.0 };
            let shows = Shows {
                state: Some(WaitState::LateSender),
                call_path: &["late_receiver_isend_wait", "MPI_Recv"],
                seconds: &waits,
            };
            assert_shows(&PROPERTY, (ranks, 1), &given, &[shows]);
            assert_silent(&PROPERTY, ranks, &given);
        }
    }
}
