//! A synchronous send whose receive is posted, and waits for the receiver's next call.

use ats_mpi::{MpiBuf, Op, Source, Tag};
use ats_props::{Communicator, Distribution, Seconds, property};
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
/// work receivers wait for late senders instead.
#[property(
    finds = LateProgress,
    formula = "W = floor(P/2)·r·max(0, work − basework)",
    cause = LateProgress,
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
) {
    between(basework, work, r).run(c, messages(c));
}

/// Every rank works the mean, before the message.
pub fn balanced(basework: Seconds, work: Seconds, r: usize, c: &dyn Communicator) {
    between(basework, work, r).balanced(c, messages(c));
}

/// Senders work before they send, receivers while they receive.
fn between(basework: Seconds, work: Seconds, r: usize) -> Between {
    Between { before: Distribution::cyclic2(basework.0, 0.0), between: Distribution::cyclic2(0.0, work.0), r }
}

fn messages(c: &dyn Communicator) -> impl Fn(f64) {
    let (part, buf) = (Part::of(c), c.base_buf());
    move |work| match part {
        Part::Sender(to) => {
            do_work(work);
            c.ssend(to, TAG, &buf);
        }
        Part::Receiver(from) => overlapped(receive(from, &buf), work, c),
        Part::Alone => do_work(work),
    }
}

fn receive(from: usize, buf: &MpiBuf) -> Op {
    Op::Recv { from: Source::Rank(from), tag: Tag::Is(TAG), buf: buf.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::WaitState;
    use crate::testing::{RANKS, Shows, assert_shows, assert_silent, assert_waits};

    #[test]
    fn senders_wait_for_the_receivers_next_call_and_late_senders_are_waited_for() {
        let name = "synchronous_send_without_progress";
        for ranks in RANKS {
            let has_partner = |rank: usize| rank ^ 1 < ranks;
            let waits =
                |rank: usize| if rank.is_multiple_of(2) && has_partner(rank) { 4.0 * 0.02 } else { 0.0 };
            let given = [("work", "30ms"), ("r", "4")];
            assert_waits(&PROPERTY, ranks, &given, &[name, "MPI_Ssend"], waits);
            assert_silent(&PROPERTY, ranks, &given);
            let late = |rank: usize, _: usize| if rank % 2 == 1 { 4.0 * 0.005 } else { 0.0 };
            let (state, call_path) = (Some(WaitState::LateSender), &[name, "MPI_Wait"][..]);
            let given = [("work", "5ms"), ("r", "4")];
            assert_shows(&PROPERTY, (ranks, 1), &given, &[Shows { state, call_path, seconds: &late }]);
        }
    }
}
