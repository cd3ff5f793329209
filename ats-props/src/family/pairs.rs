//! Ranks in pairs: an even one sends to the odd one above it. With an odd number of ranks the last has no partner.

use ats_mpi::{Direction, How, MpiBuf, Op, SendMode, Source, Tag, Transfer, mpi_commpattern_sendrecv};

use crate::Communicator;

/// Of every message.
pub(crate) const TAG: u32 = 1;

/// The part of a rank in its pair.
#[derive(Clone, Copy)]
pub(crate) enum Part {
    /// It sends to this rank.
    Sender(usize),
    /// It receives from this rank.
    Receiver(usize),
    /// It has no partner.
    Alone,
}

impl Part {
    pub(crate) fn new(c: &dyn Communicator) -> Part {
        let (me, partner) = (c.rank(), c.rank() ^ 1);
        match (partner < c.size(), me < partner) {
            (false, _) => Part::Alone,
            (true, true) => Part::Sender(partner),
            (true, false) => Part::Receiver(partner),
        }
    }

    /// Its side of the message of the pair, which is sent synchronously.
    pub(crate) fn message(self, buf: &MpiBuf) -> Option<Op> {
        let buf = buf.clone();
        match self {
            Part::Sender(to) => Some(Op::Send { mode: SendMode::Synchronous, to, tag: TAG, buf }),
            Part::Receiver(from) => Some(Op::Recv { from: Source::Rank(from), tag: Tag::Is(TAG), buf }),
            Part::Alone => None,
        }
    }
}

/// The senders send so much synchronously: an eager send would hide a late receiver.
pub(crate) fn send_up(buf: MpiBuf, c: &dyn Communicator) -> impl Fn() {
    move || mpi_commpattern_sendrecv(&buf, Direction::Up, Transfer::SYNCHRONOUS, c)
}

/// Prepares the messages of the pairs once, and starts and completes one whenever it is called.
pub(crate) fn send_up_persistent(c: &dyn Communicator) -> impl FnMut() {
    let mut requests: Vec<_> = Part::new(c).message(&c.base_buf()).map(|op| c.init(op)).into_iter().collect();
    move || {
        if let Some(request) = requests.first() {
            c.restart(request);
            c.complete(How::Wait, &mut requests);
        }
    }
}
