//! Late senders whose message was received before one that had been sent earlier.

use std::collections::VecDeque;

use ats_model::WaitState;

use crate::{
    judge::{
        ledger::{Ledger, WaitedFor},
        points::WrongOrder,
    },
    words::place::{BasesByLocation, Place},
};

/// A receive that waited for its sender.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LateReceive {
    /// The time when the message was sent.
    pub(crate) sent: u64,
    /// Rank of the sender in `MPI_COMM_WORLD`.
    pub(crate) source: u32,
    /// The location that sent it.
    pub(crate) sender: u32,
    pub(crate) message: WaitedFor,
    /// The time when the receiving call was entered.
    pub(crate) begin: u64,
    pub(crate) wait: u64,
    pub(crate) place: Place,
    /// The number of the stop of the receiving call.
    pub(crate) stop: u32,
    /// Whether the program chooses when the message is received: the call completes it alone.
    pub(crate) has_order: bool,
}

impl LateReceive {
    /// The ticks that another order would have saved, if a message that is received later was sent at `sent`.
    fn saved(&self, sent: u64) -> u64 {
        let in_any_order = if self.has_order { sent.saturating_sub(self.begin) } else { self.wait };
        self.wait.saturating_sub(in_any_order)
    }
}

/// The last late receives of a location whose messages are in order so far.
///
/// A late receive is booked when it falls out of the history, or when a message that its location receives later turns
/// out to have been sent earlier: that makes its whole wait one of wrong order. Messages that another thread receives do
/// not count: this one could not take them.
#[derive(Clone, Debug, Default)]
pub(crate) struct History {
    late: VecDeque<LateReceive>,
    /// An upper bound on the times of sending of the messages in the history.
    latest_sent: u64,
}

impl History {
    /// The number of late receives remembered.
    const LENGTH: usize = 100;

    /// The location receives a message, late or not.
    pub(crate) fn received(&mut self, source: u32, sent: u64, ledger: &mut Ledger) {
        if sent >= self.latest_sent {
            return;
        }
        self.latest_sent = sent;
        self.late.retain(|late| {
            let in_order = late.sent <= sent;
            if !in_order {
                let state = match late.source == source {
                    true => WaitState::LateSenderWrongOrderSameSource,
                    false => WaitState::LateSenderWrongOrderDifferentSources,
                };
                let (location, stop) = (late.place.location, late.stop);
                ledger.points.reorder(WrongOrder { location, stop, state, saved: late.saved(sent) });
                book(late, state, ledger);
            }
            in_order
        });
    }

    /// Remembers a late receive.
    pub(crate) fn push(&mut self, late: LateReceive, ledger: &mut Ledger) {
        if self.late.len() == Self::LENGTH {
            self.late.pop_front().iter().for_each(|oldest| book(oldest, WaitState::LateSender, ledger));
        }
        self.latest_sent = self.latest_sent.max(late.sent);
        self.late.push_back(late);
    }

    /// Gives places the bases that are known by now.
    pub(crate) fn renumber(&mut self, known: &BasesByLocation) {
        self.late.iter_mut().for_each(|late| late.place.renumber(known));
    }

    /// Books the late receives still remembered.
    pub(crate) fn finish(self, ledger: &mut Ledger) {
        self.late.iter().for_each(|late| book(late, WaitState::LateSender, ledger));
    }
}

fn book(late: &LateReceive, state: WaitState, ledger: &mut Ledger) {
    ledger.add_message((late.begin, Some(late.sender)), state, late.place, late.wait, late.message);
}
