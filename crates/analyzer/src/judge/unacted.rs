//! Waits for partners to act on a message, until it is known whether the message needs that: summed by size, so that
//! their number does not grow with the trace.

use std::cmp::Reverse;

use ats_model::WaitState;
use rustc_hash::FxHashMap;

use crate::{
    judge::{
        ledger::{Ledger, Sum, WaitedFor},
        proceeded::{Condition, Kind, Kinds, Proceeded, first_in_need},
        waits::SingleWaits,
    },
    words::place::{BasesByLocation, Place},
};

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

/// The waits for partners to act that are not in the ledger yet, and what is known of how messages proceed.
#[derive(Debug, Default)]
pub(crate) struct Unacted {
    /// The largest messages that have proceeded by themselves, by the rank of the peer.
    proceeded: FxHashMap<u32, Proceeded>,
    /// For calls with messages of these kinds, the sums of the waits for each.
    sums: FxHashMap<(Kinds, Place), Vec<Sum>>,
}

impl Unacted {
    /// Notes a message from or to a peer that has proceeded without it.
    pub(crate) fn note(&mut self, kind: Kind, peer: u32) {
        self.proceeded.entry(peer).or_default().note(kind);
    }

    /// The messages from or to each peer that have proceeded without it.
    pub(crate) fn proceeded(&self) -> impl Iterator<Item = (u32, &Proceeded)> {
        self.proceeded.iter().map(|(&peer, proceeded)| (peer, proceeded))
    }

    /// Gives places the bases that are known by now.
    pub(crate) fn renumber(&mut self, known: &BasesByLocation) {
        let is_open = |place: &Place| place.base.membership().is_some();
        let open: Vec<_> = self.sums.extract_if(|(_, place), _| is_open(place)).collect();
        for ((kinds, mut place), sums) in open {
            place.renumber(known);
            self.add(kinds, place, sums);
        }
    }

    fn add(&mut self, kinds: Kinds, place: Place, waits: Vec<Sum>) {
        let absorb = |sums: &mut Vec<Sum>| {
            sums.iter_mut().zip(&waits).for_each(|(sum, &wait)| sum.absorb(wait));
        };
        self.sums.entry((kinds, place)).and_modify(absorb).or_insert_with(|| waits.clone());
    }

    /// Keeps the waits of a call until it is known which of them counts.
    pub(crate) fn keep(&mut self, place: Place, mut waits: Vec<Wait>, singles: &mut SingleWaits) {
        waits.sort_by_key(|wait| Reverse(wait.ticks));
        // Behind a longer wait, one for a message that is no larger never counts.
        let mut kinds: Vec<Kind> = Vec::new();
        waits.retain(|&Wait { kind, ticks, .. }| {
            let is_covered = kinds.iter().any(|&longer| kind.is_covered_by(longer));
            let may_count = ticks > 0 && !is_covered;
            if may_count {
                kinds.push(kind);
            }
            may_count
        });
        if waits.is_empty() {
            return;
        }
        let kinds: Kinds = kinds.into();
        let are_kept = singles.are_kept();
        for (index, wait) in waits.iter().enumerate().filter(|_| are_kept) {
            let condition = Some(Condition::new(&kinds, index));
            let times = (wait.begin, wait.begin.saturating_add(wait.ticks));
            singles.keep_if(condition, WaitState::LateProgress, place, times, Some(wait.awaited));
        }
        let sum = |&Wait { ticks, message: WaitedFor { communicator, is_empty }, .. }: &Wait| Sum {
            ticks,
            instances: 1,
            of_empty: u64::from(is_empty),
            communicator,
        };
        self.add(kinds, place, waits.iter().map(sum).collect());
    }

    /// Adds the waits that count to the ledger, now that it is known how all messages of the trace have proceeded.
    pub(crate) fn book(&mut self, proceeded: &Proceeded, ledger: &mut Ledger) {
        for ((kinds, place), sums) in std::mem::take(&mut self.sums) {
            if let Some(index) = first_in_need(&kinds, proceeded) {
                ledger.add_sum(WaitState::LateProgress, place, sums[index]);
            }
        }
    }
}
