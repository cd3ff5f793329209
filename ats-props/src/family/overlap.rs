//! Pairs in which one side starts its part of a message, works, and waits for the other, which is late.

use ats_work::do_work;

use super::between::Between;
use super::pairs::Part;
use super::started::overlapped;
use crate::{Communicator, Distribution};

/// The side of a message that is late.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Late {
    Sender,
    Receiver,
}

/// Work of both sides in each of `r` repetitions, in seconds.
pub(crate) struct Overlap {
    pub(crate) late: Late,
    /// Work of every rank.
    pub(crate) basework: f64,
    /// The late side more, before it comes to the message.
    pub(crate) extrawork: f64,
    /// The other side, after it has started its part.
    pub(crate) overlap: f64,
    pub(crate) r: usize,
}

impl Overlap {
    /// In each repetition every rank works, and each pair has a message, which is sent synchronously. The late side
    /// starts its part, too, and waits for it if `both_start`.
    pub(crate) fn run(&self, both_start: bool, c: &dyn Communicator) {
        self.work().run(c, self.message(both_start, c));
    }

    /// The same with the mean for every rank, before the message.
    pub(crate) fn balanced(&self, both_start: bool, c: &dyn Communicator) {
        self.work().balanced(c, self.message(both_start, c));
    }

    fn work(&self) -> Between {
        let (late, overlap) = (self.basework + self.extrawork, self.overlap);
        let [before, between] = match self.late {
            Late::Sender => [(late, self.basework), (0.0, overlap)],
            Late::Receiver => [(self.basework, late), (overlap, 0.0)],
        };
        let [before, between] =
            [before, between].map(|(sender, receiver)| Distribution::cyclic2(sender, receiver));
        Between { before, between, r: self.r }
    }

    fn message<'a>(&self, both_start: bool, c: &'a dyn Communicator) -> impl Fn(f64) + use<'a> {
        let (buf, late) = (c.base_buf(), self.late);
        move |work| {
            let part = Part::of(c);
            let Some(op) = part.message(&buf) else { return do_work(work) };
            let side = if matches!(part, Part::Sender(_)) { Late::Sender } else { Late::Receiver };
            if both_start || side != late {
                overlapped(op, work, c);
            } else {
                c.call(op);
            }
        }
    }
}

/// Asserts that with less overlap than extra work one side waits in `MPI_Wait`; that with more, the late side has this
/// wait in this call from the second repetition on; and that the twin does not wait.
#[cfg(test)]
pub(crate) fn assert_overlaps(
    property: &'static crate::Property,
    late: Late,
    given: &[(&str, &str)],
    of_late: (crate::WaitState, &str),
) {
    use crate::testing::{Shows, assert_shows, assert_silent};

    let of_other = (property.finds.wait_state().unwrap(), crate::MpiFunction::Wait.name());
    let cases = [("20ms", of_other, 5.0 * (0.05 - 0.02)), ("80ms", of_late, 4.0 * 0.08 - 5.0 * 0.05)];
    for (overlap, (state, call), seconds) in cases {
        let given = [given, &[("overlap", overlap), ("r", "5")]].concat();
        for ranks in crate::testing::ranks(property) {
            let waits = |rank: usize, _: usize| {
                let side = if rank.is_multiple_of(2) { Late::Sender } else { Late::Receiver };
                let waits = (side == late) == ((state, call) == of_late) && rank ^ 1 < ranks;
                if waits { seconds } else { 0.0 }
            };
            let shows = Shows { state: Some(state), call_path: &[property.name, call], seconds: &waits };
            assert_shows(property, (ranks, 1), &given, &[shows]);
            assert_silent(property, ranks, &given);
        }
    }
}
