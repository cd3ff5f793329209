//! Waits for partners to act on a message, until it is known whether the message needs that.
//!
//! Whether it does is seen by its size: no message needs its partner that is no larger than one that has proceeded
//! without. This is known at the end of a trace.

use std::cmp::Reverse;

use ats_model::WaitState;
use rustc_hash::FxHashMap;

use crate::{
    judge::ledger::{Ledger, Sum, WaitedFor},
    words::place::{BasesByLocation, Place},
};

/// The partner that a message may need.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Needs {
    Sender,
    Receiver,
    /// The receiver, whatever the size: the send is synchronous.
    Answer,
}

/// A message, as far as it shows how messages proceed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Kind {
    pub(crate) needs: Needs,
    pub(crate) bytes: u32,
    /// Whether both processes are on one node, where a library has other ways than between nodes.
    pub(crate) is_on_one_node: bool,
}

/// The largest messages that have proceeded by themselves, in bytes; between nodes and on one node.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Proceeded {
    without_sender: [Option<u32>; 2],
    without_receiver: [Option<u32>; 2],
}

impl Proceeded {
    pub(crate) fn note(&mut self, Kind { needs, bytes, is_on_one_node }: Kind) {
        let at = usize::from(is_on_one_node);
        let noted = match needs {
            Needs::Sender => &mut self.without_sender[at],
            Needs::Receiver => &mut self.without_receiver[at],
            Needs::Answer => return,
        };
        *noted = (*noted).max(Some(bytes));
    }

    pub(crate) fn absorb(&mut self, more: Proceeded) {
        for at in [0, 1] {
            self.without_sender[at] = self.without_sender[at].max(more.without_sender[at]);
            self.without_receiver[at] = self.without_receiver[at].max(more.without_receiver[at]);
        }
    }

    /// Whether messages of this kind need no partner. One that has left before its receive began needs no sender.
    fn include(&self, Kind { needs, bytes, is_on_one_node }: Kind) -> bool {
        let at = usize::from(is_on_one_node);
        let largest = match needs {
            Needs::Sender => self.without_sender[at].max(self.without_receiver[at]),
            Needs::Receiver => self.without_receiver[at],
            Needs::Answer => None,
        };
        largest >= Some(bytes)
    }
}

/// A wait for a partner to act, if its message needs that.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wait {
    pub(crate) kind: Kind,
    pub(crate) ticks: u64,
    pub(crate) begin: u64,
    /// The location that is awaited.
    pub(crate) awaited: u32,
    pub(crate) message: WaitedFor,
}

/// The waits for partners to act that are not in the sums yet, and what is known of how messages proceed.
#[derive(Debug, Default)]
pub(crate) struct Unacted {
    pub(crate) proceeded: Proceeded,
    /// Those of calls with messages of one kind, if single waits are not kept.
    sums: FxHashMap<(Kind, Place), Sum>,
    /// The others, call by call: the longest wait whose message needs its partner counts.
    calls: Vec<(Place, Vec<Wait>)>,
}

impl Unacted {
    /// Gives places the bases that are known by now.
    pub(crate) fn renumber(&mut self, known: &BasesByLocation) {
        self.calls.iter_mut().for_each(|(place, _)| place.renumber(known));
        let is_open = |place: &Place| place.base.membership().is_some();
        let open: Vec<_> = self.sums.extract_if(|(_, place), _| is_open(place)).collect();
        for ((kind, mut place), sum) in open {
            place.renumber(known);
            self.add(kind, place, sum);
        }
    }

    fn add(&mut self, kind: Kind, place: Place, waits: Sum) {
        self.sums.entry((kind, place)).and_modify(|sum| sum.absorb(waits)).or_insert(waits);
    }

    /// Keeps the waits of a call, the longest first, until it is known which of them count.
    pub(crate) fn keep(&mut self, place: Place, mut waits: Vec<Wait>, are_single_kept: bool) {
        waits.sort_by_key(|wait| Reverse(wait.ticks));
        // Behind a longer wait, one for a message that is no larger never counts.
        let mut longer: Vec<Kind> = Vec::new();
        waits.retain(|Wait { kind, ticks, .. }| {
            let is_covered =
                longer.iter().any(|of| Kind { bytes: of.bytes, ..*kind } == *of && of.bytes >= kind.bytes);
            let may_count = *ticks > 0 && !is_covered && !self.proceeded.include(*kind);
            if may_count {
                longer.push(*kind);
            }
            may_count
        });
        match waits[..] {
            [] => {}
            [Wait { kind, ticks, message, .. }] if !are_single_kept => {
                let of_empty = u64::from(message.is_empty);
                self.add(
                    kind,
                    place,
                    Sum { ticks, instances: 1, of_empty, communicator: message.communicator },
                );
            }
            _ => self.calls.push((place, waits)),
        }
    }

    /// Adds the waits that count to the ledger, now that it is known how all messages of the trace have proceeded.
    pub(crate) fn book(&mut self, proceeded: &Proceeded, ledger: &mut Ledger) {
        let Unacted { sums, calls, .. } = std::mem::take(self);
        for ((kind, place), sum) in sums {
            if !proceeded.include(kind) {
                ledger.add_sum(WaitState::LateProgress, place, sum);
            }
        }
        for (place, waits) in calls {
            if let Some(wait) = waits.iter().find(|wait| !proceeded.include(wait.kind)) {
                let from = (wait.begin, Some(wait.awaited));
                ledger.add_message(from, WaitState::LateProgress, place, wait.ticks, wait.message);
            }
        }
    }
}
