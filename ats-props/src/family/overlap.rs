//! Pairs in which one side starts its part of a message, works, and waits for the other, which is late.

use ats_work::do_work;

use super::between::Between;
use super::pairs::Part;
use super::started::overlapped;
use crate::{Balance, Communicator, Distribution};

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
    /// starts its part, too, and waits for it if `both_start`. In the twin all work for the mean, before the message.
    pub(crate) fn run(&self, balance: Balance, both_start: bool, c: &dyn Communicator) {
        self.work().run(balance, c, self.message(both_start, c));
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
            let part = Part::new(c);
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
