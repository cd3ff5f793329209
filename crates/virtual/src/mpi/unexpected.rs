//! Messages that have come before their receive.

use std::collections::{BTreeSet, VecDeque};

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::kernel::time::Picoseconds;
use crate::mpi::message::Message;

/// The most messages that are kept in one list; more are kept by sender, so that a master with thousands of workers
/// finds each.
const FEW: usize = 16;

/// The order of messages: time of arrival, source, number; and the communicator, to find the message.
type Order = (Picoseconds, u32, u64, u32);

fn order(message: &Message) -> Order {
    (message.arrives, message.source, message.number, message.group)
}

/// Many messages, so that neither those of one sender nor the first of all senders have to be looked for.
#[derive(Debug, Default)]
struct Many {
    /// By communicator and sender.
    by_sender: FxHashMap<(u32, u32), VecDeque<Message>>,
    by_arrival: BTreeSet<Order>,
}

impl Many {
    fn push(&mut self, message: &Message) {
        self.by_arrival.insert(order(message));
        self.by_sender.entry((message.group, message.source)).or_default().push_back(*message);
    }

    fn sent_by(&self, group: u32, source: u32) -> impl Iterator<Item = &Message> {
        self.by_sender.get(&(group, source)).into_iter().flatten()
    }

    fn in_order(&self) -> impl Iterator<Item = &Message> {
        let find = |&(_, source, number, group): &Order| {
            self.sent_by(group, source).find(|message| message.number == number)
        };
        self.by_arrival.iter().filter_map(find)
    }

    fn remove(&mut self, message: &Message) {
        self.by_arrival.remove(&order(message));
        let sender = (message.group, message.source);
        let Some(queue) = self.by_sender.get_mut(&sender) else { return };
        if let Some(at) = queue.iter().position(|kept| kept.number == message.number) {
            queue.remove(at);
        }
        if queue.is_empty() {
            self.by_sender.remove(&sender);
        }
    }
}

/// The unexpected messages of a location; those of one sender stay in sending order.
#[derive(Debug, Default)]
pub(crate) struct Unexpected {
    few: SmallVec<[Message; 1]>,
    many: Option<Box<Many>>,
}

impl Unexpected {
    #[inline(always)]
    pub(crate) fn push(&mut self, message: &Message) {
        if self.many.is_none() && self.few.len() < FEW {
            self.few.push(*message);
        } else {
            self.push_by_sender(message);
        }
    }

    #[inline(never)]
    fn push_by_sender(&mut self, message: &Message) {
        let many = self.many.get_or_insert_default();
        for message in self.few.drain(..).chain([*message]) {
            many.push(&message);
        }
    }

    /// All messages, in order of arrival; at one time those of lower ranks first, and those of one rank in sending
    /// order.
    pub(crate) fn in_order(&self) -> impl Iterator<Item = &Message> {
        let mut few: SmallVec<[&Message; FEW]> = self.few.iter().collect();
        few.sort_unstable_by_key(|message| order(message));
        few.into_iter().chain(self.many.iter().flat_map(|many| many.in_order()))
    }

    /// The messages of one sender, in sending order.
    pub(crate) fn sent_by(&self, group: u32, source: u32) -> impl Iterator<Item = &Message> {
        let few = self.few.iter().filter(move |message| message.group == group && message.source == source);
        few.chain(self.many.iter().flat_map(move |many| many.sent_by(group, source)))
    }

    /// Takes a message out.
    pub(crate) fn remove(&mut self, message: &Message) {
        let same = |kept: &Message| kept.number == message.number;
        match self.few.iter().position(same) {
            Some(at) => drop(self.few.remove(at)),
            None => self.remove_by_sender(message),
        }
    }

    #[inline(never)]
    fn remove_by_sender(&mut self, message: &Message) {
        let Some(many) = &mut self.many else { return };
        many.remove(message);
        if many.by_sender.is_empty() {
            self.many = None;
        }
    }
}
