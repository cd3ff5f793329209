//! Messages that have come before their receive.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::mpi::message::Message;

/// Up to so many are kept in one list; more are kept by sender, so that a master with thousands of workers finds each.
const FEW: usize = 16;

/// Messages by communicator and sender.
type BySender = FxHashMap<(u32, u32), VecDeque<Message>>;

/// The unexpected messages of a location; those of one sender stay in the order in which they were sent.
#[derive(Debug, Default)]
pub(crate) struct Unexpected {
    few: SmallVec<[Message; 1]>,
    many: Option<Box<BySender>>,
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
            many.entry((message.group, message.source)).or_default().push_back(message);
        }
    }

    /// All messages; those of one sender in the order in which they were sent.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Message> {
        self.few.iter().chain(self.many.iter().flat_map(|many| many.values().flatten()))
    }

    /// The messages of one sender, in the order in which they were sent.
    pub(crate) fn of(&self, group: u32, source: u32) -> impl Iterator<Item = &Message> {
        let few = self.few.iter().filter(move |message| message.group == group && message.source == source);
        few.chain(self.many.iter().flat_map(move |many| many.get(&(group, source))).flatten())
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
        if let Some(queue) = many.get_mut(&(message.group, message.source)) {
            if let Some(at) = queue.iter().position(|kept| kept.number == message.number) {
                queue.remove(at);
            }
            if queue.is_empty() {
                many.remove(&(message.group, message.source));
            }
        }
        if many.is_empty() {
            self.many = None;
        }
    }
}
